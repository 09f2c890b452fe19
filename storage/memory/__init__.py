"""Session memory: what a session read, changed and decided, each line with its source.

A pure fold with rules per agent. Independent of files and of the screen.
"""
