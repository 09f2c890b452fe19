"""Session memory: what a session read, changed and decided, each line with its source.

Promise: a pure fold with the rules of each agent. Must not know files or the screen.
"""
