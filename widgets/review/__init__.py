"""Open cases: their list, one case in full, and the prompt for a verdict.

Promise: reports the verdict that was chosen; somebody else saves it. Must not know another pane.
"""
