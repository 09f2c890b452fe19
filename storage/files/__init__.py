"""Files of other programs: whole lines, fingerprints, bounded looks, processes, the watcher.

Promise: read-only, bounded in memory, and robust against files that change while they are read.
Must not know what the bytes mean.
"""
