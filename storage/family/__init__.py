"""How sessions are related: parents, sub-agents, forks and continuations.

Promise: derived from facts of many files, without reading their records again. Must not know
decisions.
"""
