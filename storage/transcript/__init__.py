"""One transcript as it grows: format, positions of its events, overview, the parts of a session.

Promise: any chunking reads the same, and random access costs the bytes of the event. Must not know
other sessions or the index.
"""
