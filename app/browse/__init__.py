"""The main screen: the list of sessions and the open session.

The selection is kept while sessions are added, removed and reordered.
"""
