"""Text from transcripts as strings: folding for comparison, safe display, paths as names.

Pure functions that accept any string, including lone surrogates and control characters. Independent
of files and events.
"""
