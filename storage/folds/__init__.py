"""Facts from events: pairing, integrity, totals, ancestry, delegations, titles.

Promise: pure and resumable: state can be saved and restored between any two events. Must not know
files or the index.
"""
