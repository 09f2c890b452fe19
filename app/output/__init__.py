"""Text and JSON of the commands, and the streams they go to.

Promise: JSON names never change; printed text is safe for the terminal. Must not know the screen.
"""
