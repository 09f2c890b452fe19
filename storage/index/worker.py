"""A process that reads for another: `python -m sessions_tui.storage.index_worker DIR PID`.

It takes a transcript a line, as a JSON array of path and session id in hexadecimal digits, stores
it in the index of that directory, and answers with a line that tells bytes read, why it could not
be read, if so, and whether it is kept. It ends when its input does, or when the process PID is gone
that started it: one that is killed closes the input, too, but nobody listens to that within a long
transcript.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import orjson

from ..transcript.overview import overview_of
from ..transcript.transcript import Transcript
from .index import Index, stored_as_read


def read(index: Index, path: Path, session: str, asker: int) -> tuple[int, str, bool]:
    """Bring a transcript in the index up to date, or end where nobody waits for that any more.

    Bytes read; "" or what is wrong with the file; whether it is kept.
    """
    transcript = index.load(path, session) or Transcript(path, session)
    try:
        for _ in stored_as_read(transcript, lambda: index):
            if is_orphan(asker):
                sys.exit()
        is_kept = index.save([(transcript, overview_of(transcript))])
    except OSError as error:
        return transcript.bytes_read, error.strerror or str(error), False
    return transcript.bytes_read, "", is_kept and index.lasts and path not in index.unfit


def is_orphan(asker: int) -> bool:
    """Whether the process that started this one has ended; Windows does not tell that."""
    return sys.platform != "win32" and os.getppid() != asker


def main() -> None:
    """Read what is asked for."""
    index, asker = Index(Path(os.fsdecode(os.fsencode(sys.argv[1])))), int(sys.argv[2])
    try:
        for line in sys.stdin.buffer:
            path, session = (os.fsdecode(bytes.fromhex(name)) for name in orjson.loads(line))
            answer = read(index, Path(path), session, asker)
            sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
            sys.stdout.buffer.flush()
    except KeyboardInterrupt:
        pass  # whoever asked is told by the end of the answers
    finally:
        index.close()


if __name__ == "__main__":
    main()
