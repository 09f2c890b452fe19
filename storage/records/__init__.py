"""One line as a value: parsing, damage, fields of the wrong type, prose, digests.

Promise: pure functions that accept any JSON value and never raise on it. Must not know sessions.
"""
