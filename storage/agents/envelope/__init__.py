"""The envelope format: numbered records with a schema version, and their recovery.

Read-only knowledge of this format alone. Independent of other agents.
"""
