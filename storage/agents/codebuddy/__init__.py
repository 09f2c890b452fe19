"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Promise: read-only knowledge of this agent alone. Must not know another agent.
"""
