"""Cursors of append-only files: the offset at which a read stopped.

A cursor carries a hash of the bytes before it. If the file was rewritten, the hash rarely matches,
and the cursor is refused.
"""

import json
import os
from typing import Any, BinaryIO

from wit_world.exports.adapter import Cursor

from .failure import failure
from .objects import digest

#: How many bytes before the cursor are hashed.
HASHED_BYTES = 256


def resume(file: BinaryIO, start: Cursor, initial: Any) -> Any:
    """The cursor's state if it still fits the file, or `initial` at the start."""
    if start.offset == 0:
        return initial
    if start.offset > file.seek(0, os.SEEK_END):
        raise failure("invalid-cursor", "the session file is shorter than it was")
    try:
        kept = json.loads(start.state)
        hashed, state = kept["hash"], kept["state"]
    except (ValueError, KeyError, TypeError) as error:
        raise failure("invalid-cursor", "the cursor was not made by this adapter") from error
    if hashed != _hash_before(file, start.offset):
        raise failure("invalid-cursor", "the session file was rewritten")
    return state


def stop(file: BinaryIO, offset: int, state: Any) -> Cursor:
    """The cursor at `offset`, with what the next read needs to know: of a kind that JSON has."""
    kept = {"hash": _hash_before(file, offset), "state": state}
    return Cursor(offset, json.dumps(kept).encode())


def _hash_before(file: BinaryIO, offset: int) -> str:
    """Hash of the last bytes before `offset`."""
    length = min(offset, HASHED_BYTES)
    file.seek(offset - length)
    return digest(file.read(length))
