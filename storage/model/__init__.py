"""The terms of the program as frozen data: events, sessions, calls, cases, decisions.

Widgets and every other package may use them. Promise: immutable, cheap to make, and equal when
their fields are. Must not know files, databases, folds or agents.
"""
