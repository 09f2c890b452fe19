"""What was read, stored in SQLite; and the separate process that reads.

Promise: safe to delete at any time; a damaged or locked file never stops the program. Must not know
what is shown.
"""
