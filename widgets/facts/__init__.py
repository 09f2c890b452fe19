"""The panes of a session's memory and recovery.

Promise: draws the facts it is given. Must not know another pane.
"""
