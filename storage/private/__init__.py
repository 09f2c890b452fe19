"""Our own files: where they are, the settings, our databases, checksums and bookmarks.

Promise: private to their owner, and never inside a session directory. Must not know transcripts.
"""
