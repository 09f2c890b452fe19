"""Key bindings and the overlay, shared by all screens.

The package does not depend on any screen.
"""
