"""How to resume a session in its agent, and what the machine shows about it.

A command is described here and never run. Independent of the terminal.
"""
