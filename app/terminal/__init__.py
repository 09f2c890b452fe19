"""The terminal: driver, job control, typed-ahead keys, clipboard, other programs in it.

Promise: the terminal is afterwards as it was before. Must not know sessions.
"""
