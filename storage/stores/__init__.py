"""Session directories: which exist, and which transcripts they contain.

Promise: found by name, without opening a transcript, in one bounded walk. Must not know records.
"""
