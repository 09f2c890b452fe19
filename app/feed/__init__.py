"""The reader thread: requests in, messages out, and its workers, one slice at a time.

Promise: the screen never waits for a file. Must not know widgets.
"""
