"""From what a record says to events: who speaks, what belongs together, and ids that are the same
on every read.

What acreta itself put into a conversation is marked wherever it turns up, so that nothing is learnt
from its own echo.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from wit_world.imports.types import Event, Origin

Attrs = list[tuple[str, str]]

#: Longest text of one event, in bytes.
TEXT_LIMIT = 256 * 1024

#: A batch is handed over once it has this much text or this many events.
BATCH_BYTES = 64 * 1024
BATCH_EVENTS = 256

#: Most diagnostics told one by one, and most calls that wait for their result.
DIAGNOSTICS = 100
CALLS = 256

#: How acreta marks what it puts in front of an agent, and how its tools are called.
BRIEF = "<acreta-brief"
_BRIEFS = re.compile(r"<acreta-brief.*?(?:</acreta-brief>|\Z)", re.DOTALL)
_OWN_TOOL = re.compile(r"(mcp__|mcp_|@)?acreta[-_./:]")


class Sink(Protocol):
    """Where events go: the host in a component, a list in a test."""

    def emit(self, batch: list[Event]) -> None: ...

    def diagnose(self, origin_record: str, start: int, end: int, message: str) -> None: ...


@dataclass(slots=True)
class RecordSpan:
    """Where a record stands in its file, and how many events were told of it."""

    start: int
    end: int
    at_ms: int | None = None
    record: str = ""
    events: int = 0

    def event_id(self) -> str:
        """The record's place, which never changes in an append-only file."""
        return f"@{self.start}" if self.events == 0 else f"@{self.start}#{self.events}"


class EventWriter:
    """Tells events to a sink, in the order of the conversation."""

    def __init__(self, sink: Sink, calls: list[list[str]] | None = None) -> None:
        #: Tool calls that wait for their result: id and tool.
        self.calls = calls or []
        self._sink = sink
        self._batch: list[Event] = []
        self._bytes = 0
        self._diagnosed = 0
        self._unknown: set[str] = set()

    def person(self, place: RecordSpan, text: str) -> None:
        """A text that stands where a person speaks."""
        own = _BRIEFS.sub("", text).strip()
        if own:
            self.emit(place, "user", "text", own)
        for brief in _BRIEFS.findall(text):
            self.injected(place, "user", "acreta", brief)

    def injected(self, place: RecordSpan, role: str, by: str, text: str) -> None:
        """Text that the tooling put in under the name of `role`."""
        if text.strip():
            author = "acreta" if BRIEF in text else by
            self.emit(place, role, "injected", text, [("injected_by", author)])

    def assistant(self, place: RecordSpan, kind: str, text: str, attrs: Attrs | None = None) -> None:
        """What the agent said (`text`) or thought (`thinking`). Blank texts are left out."""
        if text.strip():
            self.emit(place, "assistant", kind, text, attrs)

    def tool_call(self, place: RecordSpan, tool: str, call: str, given: str) -> None:
        """A call of a tool, with its input as text. The call then waits for its result."""
        self.calls.append([call, tool])
        del self.calls[:-CALLS]
        self.emit(place, "assistant", "tool-call", given, [("tool", tool), ("call_id", call)])

    def tool_result(self, place: RecordSpan, call: str, text: str, *, is_error: bool = False) -> None:
        """The result of a call. What acreta's own tools answered is marked as its echo."""
        waiting = [at for at, (name, _) in enumerate(self.calls) if name == call]
        tool = self.calls.pop(waiting[-1])[1] if waiting else ""
        attrs: Attrs = [("tool", tool)] if waiting else []
        attrs.append(("call_id", call))
        if is_error:
            attrs.append(("is_error", "true"))
        is_own = BRIEF in text or _OWN_TOOL.match(tool) is not None
        if is_own:
            attrs.append(("injected_by", "acreta"))
        self.emit(place, "tool", "injected" if is_own else "tool-result", text, attrs)

    def emit(
        self, place: RecordSpan, role: str, kind: str, text: str, attrs: Attrs | None = None
    ) -> None:
        """Tells one event of the record at `place`."""
        shown, truncated = _cut(text)
        attrs = list(attrs or [])
        if truncated:
            attrs.append(("truncated_bytes", str(truncated)))
        origin = Origin(place.record, place.start, place.end)
        event = Event(place.event_id(), origin, role, kind, place.at_ms, shown, attrs)
        place.events += 1
        self._batch.append(event)
        self._bytes += len(shown)
        if self._bytes >= BATCH_BYTES or len(self._batch) >= BATCH_EVENTS:
            self._flush()

    def diagnose(self, place: RecordSpan, message: str) -> None:
        """Reports what could not be read."""
        self._diagnosed += 1
        if self._diagnosed <= DIAGNOSTICS:
            self._sink.diagnose(place.record, place.start, place.end, message)

    def unknown(self, place: RecordSpan, name: str) -> None:
        """Says once that there are records of a type nobody told this adapter about."""
        if name not in self._unknown and len(self._unknown) < 64:
            self._unknown.add(name)
            self.diagnose(place, f"records of the unknown type `{name[:100]}`")

    def finish(self) -> None:
        """Hands over what is left, and says how much went untold."""
        self._flush()
        untold = self._diagnosed - DIAGNOSTICS
        if untold > 0:
            self._sink.diagnose("", 0, 0, f"and {untold} more")

    def _flush(self) -> None:
        if self._batch:
            batch, self._batch, self._bytes = self._batch, [], 0
            self._sink.emit(batch)


def _cut(text: str) -> tuple[str, int]:
    """At most `TEXT_LIMIT` bytes of a text, and how many were left out."""
    if len(text) * 4 <= TEXT_LIMIT:
        return text, 0
    content = text.encode()
    if len(content) <= TEXT_LIMIT:
        return text, 0
    kept = content[:TEXT_LIMIT].decode("utf-8", "ignore")
    return kept, len(content) - len(kept.encode())
