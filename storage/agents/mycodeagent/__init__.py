"""MyCodeAgent: its transcripts, what its loader rejects, its traces, memory and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""
