"""Objects in a line, also where the line is not what it should be, and what their fields say.

Several objects on one line are all found, and damage costs only itself.
"""

import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Record = dict[str, Any]


@dataclass(slots=True)
class Found:
    """An object, or why there is none, with its place in the line."""

    record: Record | None
    damage: str
    start: int
    end: int


def objects(line: bytes) -> list[Found]:
    """The objects in a line of JSON, with what stands between them."""
    whole = _parsed(line)
    if whole is not None:
        return [Found(whole, "", 0, len(line))]
    found: list[Found] = []
    at, damaged_from = 0, -1

    def close(end: int) -> None:
        if damaged_from >= 0:
            found.append(Found(None, "not a JSON object", damaged_from, end))

    while at < len(line):
        if line[at] in b" \t\r\n\0":
            at += 1
            continue
        end = _object_end(line, at) if line[at] == ord("{") else -1
        record = _parsed(line[at:end]) if end >= 0 else None
        # Behind damage only what names its type is a record: anything else may be a part of one.
        if record is not None and (damaged_from < 0 or "type" in record):
            close(at)
            damaged_from = -1
            found.append(Found(record, "", at, end))
            at = end
            continue
        if damaged_from < 0:
            damaged_from = at
        following = line.find(b"{", at + 1)
        at = len(line) if following < 0 else following
    close(len(line))
    return found


def text(record: Record, name: str) -> str:
    """The text of a field; empty when there is none."""
    value = record.get(name)
    return _clean(value) if isinstance(value, str) else ""


def shown(value: Any) -> str:
    """A value as a text: a string as it is, anything else as JSON on one line."""
    if isinstance(value, str):
        return _clean(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def instant(value: Any) -> int | None:
    """A time as a text, or as a number of seconds or milliseconds, in milliseconds since 1970."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        milliseconds = value * 1000 if value <= 1e11 else value
    elif isinstance(value, str) and len(value) > 10:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        milliseconds = moment.timestamp() * 1000
    else:
        return None
    if not math.isfinite(milliseconds) or not 0 < milliseconds < 2**63:
        return None
    return round(milliseconds)


def digest(content: bytes) -> str:
    """FNV-1a, 64 bits, in hexadecimal: stable for ever."""
    value = 0xCBF29CE484222325
    for byte in content:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def _parsed(content: bytes) -> Record | None:
    try:
        value = json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _clean(value: str) -> str:
    """Half a surrogate pair, which JSON may hold, is no text for anybody else."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _object_end(line: bytes, start: int) -> int:
    """Where the object that starts here ends; -1 when it does not."""
    depth, in_string, at = 0, False, start
    while at < len(line):
        byte = line[at]
        if in_string:
            if byte == ord("\\"):
                at += 1
            elif byte == ord('"'):
                in_string = False
        elif byte == ord('"'):
            in_string = True
        elif byte in b"{[":
            depth += 1
        elif byte in b"}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return -1
