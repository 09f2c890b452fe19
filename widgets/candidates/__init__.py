"""Memory candidates: their list and one candidate in full.

Promise: reports what was chosen; somebody else saves it. Must not know another pane.
"""
