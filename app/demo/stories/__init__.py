"""What the users in the demo had their agents do, one module per workspace."""
