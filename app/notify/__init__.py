"""What deserves a notification, and how it is shown.

Each change is announced once.
"""
