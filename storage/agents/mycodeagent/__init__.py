"""MyCodeAgent: its transcripts, its loader's refusals, its traces, memory and recovery.

Promise: read-only knowledge of this agent alone. Must not know another agent.
"""
