"""What a restart would restore: the parts of the folds shared by the agents.

Pure; nothing is restored from a corrupt transcript. Independent of files.
"""
