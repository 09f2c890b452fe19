"""The program's own files: their locations, settings, databases, checksums and bookmarks.

Private to their owner, and never inside a session directory. Independent of transcripts.
"""
