"""Memory and recovery of the open session, updated in bounded slices.

Gives the same result as a fold over the whole session. Independent of the UI.
"""
