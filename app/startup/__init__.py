"""The first moments: garbage collection, frames, the early scan, the check of the settings.

Promise: nothing here delays the first list.
"""
