"""How sessions are related: parents, sub-agents, forks and continuations.

Derived from the facts of many files, without reading their records again. Independent of decisions.
"""
