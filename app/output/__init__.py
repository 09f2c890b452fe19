"""Text and JSON of the commands, and the streams they are written to.

JSON names never change; printed text is safe for the terminal. Independent of the UI.
"""
