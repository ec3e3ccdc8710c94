"""Lines of a growing text file, one at a time, each with its place in the file.

Memory stays bounded by the longest line allowed: a longer one is skipped and reported with its
span.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

#: Longest line that is kept, in bytes.
LINE_LIMIT = 16 * 1024 * 1024

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Line:
    #: Without the line break; empty when the line is oversized.
    content: bytes
    #: Offset of the first byte, behind a byte order mark.
    start: int
    #: Offset behind the last byte, before the line break.
    end: int
    #: Offset behind the line break: where the next line starts.
    next: int
    #: False only for a last line that has no line break yet.
    terminated: bool = True
    #: True when the line is longer than the limit and was skipped.
    oversized: bool = False


def lines(
    file: BinaryIO, offset: int = 0, *, limit: int = LINE_LIMIT, until: int | None = None
) -> Iterator[Line]:
    """The lines from `offset` on, as if the file ended at `until`."""
    file.seek(offset)
    while True:
        room = limit + 2 if until is None else min(limit + 2, until - offset)
        content = file.readline(room) if room > 0 else b""
        if not content:
            return
        start, length = offset, len(content)
        while length > limit + 1 and not content.endswith(b"\n"):
            content = file.readline(64 * 1024)
            length += len(content)
            if not content:
                break
        terminated = content.endswith(b"\n")
        offset = start + length
        end = offset - terminated
        if end - start > limit:
            yield Line(b"", start, end, offset, terminated, oversized=True)
            continue
        if terminated:
            content = content[:-1]
            if content.endswith(b"\r"):
                content = content[:-1]
                end -= 1
        if start == 0 and content.startswith(BYTE_ORDER_MARK):
            content = content[len(BYTE_ORDER_MARK) :]
            start = len(BYTE_ORDER_MARK)
        yield Line(content, start, end, offset, terminated)
