"""What the user decided: an append-only history, and the decisions currently in effect.

A decision is on disk before it is reported, and is never lost. Independent of transcripts.
"""
