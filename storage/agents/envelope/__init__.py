"""The envelope format: numbered records with a schema version, and their recovery.

Promise: read-only knowledge of this format alone. Must not know another agent.
"""
