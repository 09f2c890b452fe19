"""All sessions of all session directories: open transcripts, processes, status, sessions.

Promise: the cost of an update follows what changed. Must not know the timeline or the screen.
"""
