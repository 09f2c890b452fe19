"""Search: queries, all sessions, one transcript, and the bytes of a file.

Promise: a match is never missed because of an escape, and never found in a key. Must not know the
screen.
"""
