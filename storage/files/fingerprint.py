"""How much of a file was read, and whether those bytes are unchanged.

Even an append-only file may be truncated, replaced under the same name, or rewritten in place.
Reading resumes at `offset` only if everything before it is still what was read.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from errno import ENOENT
from pathlib import Path
from typing import Any

from .holes import crc_of_zeros, is_empty, next_data
from .lines import opened, pread

EDGE = 512
"""Bytes at the start and before the offset that are compared whenever the file grows."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What was read of a file: its identity and times from stat, and checksums of its bytes."""

    device: int = 0
    inode: int = 0
    size: int = -1
    modified: int = 0
    changed: int = 0
    offset: int = 0
    """Everything before it was read; always just after a line end."""
    checksum: int = 0
    """CRC-32 of all bytes from the origin to the offset."""
    edges: str = ""
    """Digest of the first bytes of the file and the last ones before the offset."""

    def unchanged(self, stat: os.stat_result) -> bool:
        """Return whether the file is untouched since."""
        return self._times() == (
            stat.st_dev,
            stat.st_ino,
            stat.st_size,
            stat.st_mtime_ns,
            stat.st_ctime_ns,
        )

    def precedes(self, stat: os.stat_result) -> bool:
        """Return whether the file, according to `stat`, is newer than what was read.

        The file may have grown between the stat and the reading, in which case the stat is the
        older one.
        """
        if self.unchanged(stat):
            return False
        mine, its = (self.modified, self.size), (stat.st_mtime_ns, stat.st_size)
        return self.size < stat.st_size or mine < its

    def holds(self, fd: int, stat: os.stat_result, origin: int = 0) -> bool:
        """Return whether reading may resume at the offset.

        For ordinary growth only the edges are compared; a different file, or one that was touched
        without growing, is compared in full.
        """
        if stat.st_size < self.offset or edges(fd, self.offset) != self.edges:
            return False
        same_file = (stat.st_dev, stat.st_ino) == (self.device, self.inode)
        if same_file and (stat.st_size > self.size or self.unchanged(stat)):
            return True
        return checksum(fd, origin, self.offset) == self.checksum

    def entered(self, stat: os.stat_result) -> Fingerprint:
        """Return the fingerprint with the identity of the file that is about to be read further."""
        return replace(self, device=stat.st_dev, inode=stat.st_ino)

    def stood(self, stat: os.stat_result) -> Fingerprint:
        """Return the fingerprint with the stat data of a file that was read to its end."""
        return replace(
            self,
            device=stat.st_dev,
            inode=stat.st_ino,
            size=stat.st_size,
            modified=stat.st_mtime_ns,
            changed=stat.st_ctime_ns,
        )

    def advanced(self, fd: int, data: bytes | None, size: int) -> Fingerprint:
        """Return the fingerprint after `size` more bytes; `data` is None if too long to be held."""
        end = self.offset + size
        if data is None:
            value = checksum(fd, self.offset, end, self.checksum)
        else:
            value = zlib.crc32(data, self.checksum)
            if len(data) < size:  # a long line comes without its LF
                value = zlib.crc32(b"\n", value)
        return replace(self, offset=end, checksum=value)

    def pressed(self, fd: int) -> Fingerprint:
        """Return the fingerprint with up-to-date edges; call this whenever reading pauses."""
        return replace(self, edges=edges(fd, self.offset))

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        return asdict(self)

    def _times(self) -> tuple[int, int, int, int, int]:
        return self.device, self.inode, self.size, self.modified, self.changed


@contextmanager
def reopened(path: Path, fingerprint: Fingerprint) -> Iterator[int]:
    """The file that was read, open again; raises OSError where it is gone or is another one."""
    with opened(path) as fd:
        stat = os.fstat(fd)
        if (stat.st_dev, stat.st_ino) != (fingerprint.device, fingerprint.inode):
            raise FileNotFoundError(ENOENT, "the file was replaced", str(path))
        yield fd


def edges(fd: int, offset: int) -> str:
    """Return a digest of the first bytes of a file and of those before `offset`; "" at offset 0."""
    if not offset:
        return ""
    head = pread(fd, min(EDGE, offset), 0)
    last = pread(fd, min(EDGE, offset), max(0, offset - EDGE))
    return hashlib.blake2b(head + last, digest_size=12).hexdigest()


def checksum(fd: int, start: int, end: int, value: int = 0) -> int:
    """Return the CRC-32 of a range of a file, continued from `value`; -1 past the file's end."""
    while start < end:
        data = pread(fd, min(1 << 20, end - start), start)
        if not data:
            return -1
        value = zlib.crc32(data, value)
        start += len(data)
        if is_empty(data) and (found := next_data(fd, start, end)) > start:
            value, start = crc_of_zeros(value, found - start), found
    return value
