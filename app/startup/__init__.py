"""The first moments: garbage collection, frame rate, the early scan, checking the settings.

Nothing here delays the first list.
"""
