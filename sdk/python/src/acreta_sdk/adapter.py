"""What adapters of agents that write one JSON object per line have in common: a first look at a
file, and reading on from a cursor to its end.

Damage costs itself and a diagnostic, what is unfinished is left for the next read, and reading in
steps tells what reading at once tells.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal
from urllib.parse import unquote

from wit_world.exports.adapter import Cursor
from wit_world.imports.types import Session

from .cursor import resume, stop
from .failure import io_failure
from .lines import lines
from .objects import Record, instant, objects, text
from .event_writer import RecordSpan, Sink, EventWriter
from .revision import revision

#: How much of the beginning and of the end is looked at.
HEAD = 1024 * 1024
TAIL = 64 * 1024

#: After this many records without a sign of the agent the file is someone else's.
STRANGERS = 20

#: What a record says about its file: surely this agent's, a part of the conversation, or neither.
Sign = Literal["own", "said"] | None


@dataclass(frozen=True)
class Fields:
    """What an agent calls the fields that say something of the whole session."""

    #: The session's own id; without one it is called like its file.
    id: str = ""
    time: str = ""
    #: A path or a `file://` address.
    directory: str = ""


def overview(
    agent: str, path: str, fields: Fields, sign: Callable[[Record], Sign]
) -> Session | None:
    """A first look at a session file; none when it is not this agent's."""
    look = _Look(fields, sign)
    with _opened(path) as file:
        size = file.seek(0, os.SEEK_END)
        look.through(file, 0, min(size, HEAD))
        if not look.is_own:
            return None
        if size > HEAD:
            look.updated_ms = None
            # Most likely not the whole of a line.
            first = next(lines(file, max(HEAD, size - TAIL)), None)
            look.through(file, first.next if first else size, size)
        revised = revision(file)
    stem = os.path.splitext(os.path.basename(path))[0]
    is_empty = size <= HEAD and not look.has_said
    return Session(
        id=look.id or stem,
        agent=agent,
        path=path,
        project_dir=_directory(look.directory),
        parent=None,
        started_ms=look.started_ms,
        updated_ms=look.updated_ms,
        revision=revised,
        attrs=[("empty", "true")] if is_empty else [],
    )


def read_journal(
    path: str,
    start: Cursor,
    sink: Sink,
    initial: Any,
    tell: Callable[[EventWriter, Any, Record, RecordSpan], None],
) -> Cursor:
    """Hands every record behind `start` to `tell`, with its place, and returns where the file ended.

    The state, at first `initial`, is what records need to know of earlier ones: small, and of a kind
    that JSON has.
    """
    with _opened(path) as file:
        calls, state = resume(file, start, ([], initial))
        told = EventWriter(sink, calls)
        end = start.offset
        for line in lines(file, start.offset):
            found = [] if line.oversized else objects(line.content)
            is_unfinished = line.oversized or any(one.damage for one in found)
            if not line.terminated and is_unfinished:
                message = "unfinished at the end of the file, left for the next read"
                told.diagnose(RecordSpan(line.start, line.end), message)
                break
            if line.oversized:
                told.diagnose(RecordSpan(line.start, line.end), "the line is too long")
            for one in found:
                place = RecordSpan(line.start + one.start, line.start + one.end)
                if one.record is None:
                    told.diagnose(place, one.damage)
                else:
                    tell(told, state, one.record, place)
            end = line.next
        told.finish()
        return stop(file, end, (told.calls, state))


class _Look:
    """A first look that is under way."""

    def __init__(self, fields: Fields, sign: Callable[[Record], Sign]) -> None:
        self.fields = fields
        self.sign = sign
        self.is_own = self.has_said = False
        self.records = 0
        self.id = self.directory = ""
        self.started_ms: int | None = None
        self.updated_ms: int | None = None

    def through(self, file: BinaryIO, start: int, until: int) -> None:
        for line in lines(file, start, until=until):
            for one in objects(line.content):
                if one.record is not None and not self._see(one.record):
                    return

    def _see(self, record: Record) -> bool:
        """False when enough was seen."""
        self.records += 1
        sign = self.sign(record)
        self.is_own = self.is_own or sign == "own"
        self.has_said = self.has_said or sign == "said"
        self.id = self.id or text(record, self.fields.id)
        self.directory = self.directory or text(record, self.fields.directory)
        time = instant(record.get(self.fields.time))
        self.started_ms = time if self.started_ms is None else self.started_ms
        self.updated_ms = self.updated_ms if time is None else time
        return self.is_own or self.records < STRANGERS


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise io_failure(path, error) from error


def _directory(recorded: str) -> str | None:
    if recorded.startswith("file://"):
        path = unquote(recorded.removeprefix("file://"), errors="replace")
        return path[1:] if re.match(r"/[A-Za-z]:", path) else path
    return recorded or None
