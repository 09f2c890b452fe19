"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""
