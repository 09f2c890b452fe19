"""Memory candidates: which events are eligible, proposals, export.

Promise: nothing is exported whose source changed. Must not know the screen.
"""
