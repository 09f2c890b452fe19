"""What a restart would restore: the parts of the folds that the agents share.

Promise: pure, and nothing restored from a corrupt transcript. Must not know files.
"""
