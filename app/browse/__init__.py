"""The session list and the open session: the main screen.

Promise: keeps the selection while sessions come, go and move.
"""
