"""Frozen data types of the program: events, sessions, calls, cases, decisions.

Available to every other package, widgets included. Immutable, cheap to create, compared by value.
Independent of files, databases, folds and agents.
"""
