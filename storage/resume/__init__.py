"""How to resume a session in its agent, and what the machine shows about it.

Promise: a command is described here and never run. Must not know the terminal.
"""
