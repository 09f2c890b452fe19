"""Search: queries, all sessions, one transcript, and the bytes of a file.

An escape never hides a match, and nothing is ever found in a key. Independent of the UI.
"""
