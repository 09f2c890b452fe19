"""Which sessions and parts are selected: by options, filters and search.

The selection is the same for commands and screens.
"""
