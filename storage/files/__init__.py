"""Files of other programs: whole lines, fingerprints, bounded inspection, processes, the watcher.

Read-only, bounded in memory, and robust against files that change while being read. Independent of
what the bytes mean.
"""
