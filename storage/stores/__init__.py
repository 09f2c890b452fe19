"""Session directories: which exist, and which transcripts they contain.

Found by name, without opening a transcript, in one bounded walk. Independent of records.
"""
