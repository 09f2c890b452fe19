"""The places next to the main screen: review, candidates, search, usage, help.

Promise: each returns to where the user came from.
"""
