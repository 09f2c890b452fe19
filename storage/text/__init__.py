"""Text from transcripts as strings: folding for comparison, safe display, paths as names.

Promise: pure functions that accept any string, lone surrogates and control characters included.
Must not know files or events.
"""
