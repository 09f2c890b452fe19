"""Agents that exist in tests alone."""
