"""What the people of the demo had their agents do, one module a workspace."""
