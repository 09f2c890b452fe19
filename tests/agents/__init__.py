"""Builders of the agents' records, a folder for each agent, shared by tests, bench and soak."""
