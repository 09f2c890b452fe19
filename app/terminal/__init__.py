"""The terminal: driver, job control, type-ahead, clipboard, running other programs.

Afterwards the terminal is as it was before. Independent of sessions.
"""
