"""What the user decided: an append-only history, and what is in effect now.

Promise: a decision is on the disk before it is reported, and is never lost. Must not know
transcripts.
"""
