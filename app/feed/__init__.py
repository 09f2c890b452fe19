"""The thread that reads for the screen: it takes requests from a queue and posts messages.

The screen never waits for a file, and the package uses no widgets. Requests and tasks are frozen;
the two shared objects they may hold are a `Future`, which carries a note back, and an `Event`,
which ends a pause. A message is not modified after it is posted; its lists are copies.

The only object that grows while the screen reads it is the `Transcript` of the open session. Only
the feed's thread appends to its positions, and it appends the offset last, so every record below
their length is complete; just its link to a result is set later, in one step. When the file is
replaced, the transcript gets new positions and a new generation.
"""
