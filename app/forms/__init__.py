"""Modal forms over the screen they belong to: each asks for input and returns the answer."""
