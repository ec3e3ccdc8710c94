"""How a plugin is tested outside a sandbox: a sink and events that are lists, and the checks that
every adapter has to pass."""

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wit_world.imports.types import Event, Origin, Session

ROLES = {"user", "assistant", "tool", "system"}
KINDS = {"text", "thinking", "tool-call", "tool-result", "injected", "compaction", "note"}

#: How many places a file is cut at.
CUTS = 60


@dataclass
class Told:
    """A sink that keeps everything."""

    events: list[Event] = field(default_factory=list)
    #: Record, span and message.
    diagnostics: list[tuple[str, int, int, str]] = field(default_factory=list)

    def emit(self, batch: list[Event]) -> None:
        self.events.extend(batch)

    def diagnose(self, origin_record: str, start: int, end: int, message: str) -> None:
        self.diagnostics.append((origin_record, start, end, message))


def start() -> Any:
    """The cursor at the start of a session."""
    from wit_world.exports.adapter import Cursor

    return Cursor(0, b"")


def conforms(adapter: Any, path: Path) -> None:
    """Checks what holds for every adapter on a file of its agent: ids are unique and stable, roles
    and kinds are the known ones, origins lie in the file, and reading in steps tells what reading at
    once tells. `adapter` has `describe`, `sessions` and `read`.
    """
    content = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, path.name)

        def read(content: bytes, cursor: Any) -> tuple[Any, list[Event], Any]:
            Path(copy).write_bytes(content)
            found = adapter.sessions(copy)
            if not found:
                return None, [], None
            told = Told()
            end = adapter.read(found[0], cursor, told)
            return found[0], told.events, end

        session, whole, end = read(content, start())
        assert session is not None, f"{path} holds no session"
        assert session.agent == adapter.describe().agent, session.agent
        ids = [event.id for event in whole]
        assert len(set(ids)) == len(ids), f"ids twice: {ids}"
        for event in whole:
            assert event.role in ROLES and event.kind in KINDS, event
            assert event.origin.start <= event.origin.end <= len(content), event
        assert read(content, start()) == (session, whole, end), "another read tells something else"
        assert read(content, end)[1] == [], "told twice"
        for cut in range(0, len(content), max(1, len(content) // CUTS)):
            half, told, cursor = read(content[:cut], start())
            if half is None:
                continue
            assert told + read(content, cursor)[1] == whole, f"cut at {cut}"


def event(id: str, role: str, kind: str, text: str) -> Event:
    """An event with nothing but what is given."""
    return Event(id, Origin(id, 0, 0), role, kind, None, text, [])


def session() -> Session:
    """A session of which nothing is known but its id."""
    return Session("session", "agent", "/session.jsonl", None, None, None, None, "1", [])


class EventList:
    """Events from a list, as the host's reader gives them."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self._at = 0

    def count(self) -> int:
        return len(self.events)

    def next(self, max_bytes: int) -> list[Event]:
        """One at a time, so that nothing relies on the size of a page."""
        page = self.events[self._at : self._at + 1]
        self._at += len(page)
        return page

    def read(self, event_id: str) -> Event | None:
        return next((event for event in self.events if event.id == event_id), None)

    def find(self, text: str, limit: int) -> list[Event]:
        wanted = text.lower()
        return [event for event in self.events if wanted in event.text.lower()][:limit]

    def rewind(self) -> None:
        self._at = 0
