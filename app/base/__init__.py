"""What screens share: the keys, the overlay, the first line of a place.

Promise: usable by every screen. Must not know one of them.
"""
