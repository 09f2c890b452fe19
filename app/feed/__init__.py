"""The reader thread: requests in, messages out, and its workers, one slice at a time.

Promise: the screen never waits for a file. Must not know widgets.

What crosses threads: requests and tasks are frozen (a note comes back in a `Future`, a pause ends
with an `Event`). A message is never changed once it is posted, and its lists are copies. The one
thing that grows while the screen reads it is the `Transcript` of the open session. The feed alone
appends to its positions, the offset last, so a record below their length is whole; only its link to
a result is set later, in one step. A replaced file gets new positions and a new generation.
"""
