"""What the user decided: an append-only history, and what is in effect now.

Promise: on the disk before anybody is told, and never lost. Must not know transcripts.
"""
