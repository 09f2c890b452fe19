"""What deserves a notification, and how it is shown.

Promise: each change is announced once.
"""
