"""The screens besides the main one: review, candidates, search, usage and help.

Leaving one returns to where the user came from.
"""
