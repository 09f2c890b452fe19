"""Facts derived from events: pairing, integrity, totals, ancestry, delegations, titles.

Pure and resumable: the state can be saved and restored between any two events. Independent of files
and of the index.
"""
