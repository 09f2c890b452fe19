"""What the timeline shows: rows at a level of detail, one complete event, the tail.

Promise: only the rows that are asked for are read. Must not know the screen.
"""
