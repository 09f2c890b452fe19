"""Which sessions and parts are selected: by options, filters and search.

Promise: the same selection for commands and screens.
"""
