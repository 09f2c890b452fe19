"""Runs the real agents offline, kills them, and compares what the program says with the disk."""
