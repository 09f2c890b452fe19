"""The session list and the status line of a session.

Promise: draws the sessions it is given. Must not know another pane.
"""
