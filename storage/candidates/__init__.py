"""Memory candidates: which events are eligible, proposals, export.

Nothing is exported whose source has changed. Independent of the UI.
"""
