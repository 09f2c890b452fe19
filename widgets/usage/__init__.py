"""Usage: bars, charts and shares, of all sessions and of one.

Promise: draws the totals it is given. Must not know another pane.
"""
