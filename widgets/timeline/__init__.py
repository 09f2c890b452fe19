"""The timeline of a session, and the panel of one event.

Promise: asks for the rows and pages it needs, and draws those. Must not know another pane.
"""
