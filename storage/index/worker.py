"""A process that reads transcripts for another one; its arguments are DIR and PID.

It reads one transcript per input line, a JSON array of path and session id in hexadecimal digits,
stores it in the index in DIR, and answers with a line: bytes read, why it could not be read, and
whether it was saved. It ends with its input, or when the process PID that started it is gone: a
killed process closes the input, too, but that is not noticed in the middle of a long transcript.
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
    """Update a transcript in the index; stop if the starting process has ended.

    Returns bytes read; "" or what is wrong with the file; whether it was saved.
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
    """Return whether the process that started this one has ended; never on Windows."""
    return sys.platform != "win32" and os.getppid() != asker


def main() -> None:
    """Read the transcripts that are requested."""
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
