"""Open cases: the calls without a result, the evidence on disk, the suggested verdict.

Promise: the disk is only read; evidence never contradicts what is in the file. Must not know the
screen.
"""
