"""The content of the timeline: rows at a level of detail, one complete event, the tail.

Only the requested rows are read. Independent of the screen.
"""
