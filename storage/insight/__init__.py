"""Memory and recovery of the open session, updated in bounded slices.

Promise: the same result as a fold over the whole session. Must not know the screen.
"""
