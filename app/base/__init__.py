"""What screens share: their keys, and the overlay.

Promise: usable by every screen. Must not know one of them.
"""
