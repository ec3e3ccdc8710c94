"""The revision of a session that is a whole file: its size and a hash of its content.

The SDKs of all languages give a file the same one. A changed session is read whole anyway, so this
costs little.
"""

import os
from typing import BinaryIO

from .objects import digest

#: Files up to this size are hashed whole; of larger ones, this many evenly spaced blocks are.
WHOLE = 256 * 1024 * 1024
BLOCKS = 4096
BLOCK = 16 * 1024

PIECE = 64 * 1024
_PRIME = 0x100000001B3
_MASK = 0xFFFFFFFFFFFFFFFF


def revision(file: BinaryIO) -> str:
    """Of the whole file; its position changes."""
    size = file.seek(0, os.SEEK_END)
    spans = [(start, min(PIECE, size - start)) for start in range(0, size, PIECE)]
    if size > WHOLE:
        step = (size - BLOCK) // (BLOCKS - 1)
        spans = [(step * number, BLOCK) for number in range(BLOCKS)]
    value, rest = int(digest(b""), 16), b""
    for start, length in spans:
        file.seek(start)
        piece = rest + file.read(length)
        whole = len(piece) & ~7
        value = _words(value, memoryview(piece)[:whole].cast("Q"))
        rest = piece[whole:]
    value = ((value ^ int(digest(rest), 16)) * _PRIME) & _MASK
    return f"{size}:{value:016x}"


def _words(value: int, words: memoryview) -> int:
    """FNV-1a over words of eight bytes."""
    for word in words:
        value = ((value ^ word) * _PRIME) & _MASK
        # Multiplication carries changes only upwards.
        value ^= value >> 29
    return value
