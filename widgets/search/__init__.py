"""The results of a search over all sessions.

Promise: draws the hits it is given. Must not know another pane.
"""
