"""Tokens and calls: totals by day, model and tool, and over the time of one session.

Promise: shared history counts once. Must not know the screen.
"""
