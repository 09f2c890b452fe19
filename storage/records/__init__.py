"""One line as a value: parsing, damage, fields of the wrong type, readable text, digests.

Pure functions that accept any JSON value and never raise on it. Independent of sessions.
"""
