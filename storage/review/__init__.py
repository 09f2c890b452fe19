"""Open cases: calls without a result, the evidence on disk, and the suggested verdict.

Only reads the disk; evidence never contradicts the contents of the file. Independent of the UI.
"""
