"""What all panes are built from: virtual rows, pages, bars, the key bar, colours.

Promise: a row is drawn only if it is visible. Must not know sessions or cases.
"""
