"""Reads the sessions of example-plugin: one JSON object per line. The first says whose file it is,
the others what was said and done.
"""

from acreta_sdk.adapter import Fields, RecordSpan, Sign, Sink, EventWriter, overview, read_journal
from acreta_sdk.objects import Record, instant, shown, text
from wit_world.exports.adapter import Cursor, Description, Root
from wit_world.imports.types import Session

#: Name of the agent whose sessions are read.
AGENT = "example-plugin"

#: What the agent calls the fields that say something of the whole session.
FIELDS = Fields(id="session", time="time", directory="cwd")


def describe() -> Description:
    """The same directories, patterns and reasons as in `plugin.toml`."""
    root = Root(
        name="sessions",
        candidates=["~/.example-plugin/sessions"],
        patterns=["**/*.jsonl"],
        reason="example-plugin keeps its conversations here; they are read to learn from finished "
        "work and never changed.",
    )
    return Description(agent=AGENT, roots=[root], attrs=[])


def sessions(path: str) -> list[Session]:
    """The sessions in one file; none when the file is not this agent's."""
    session = overview(AGENT, path, FIELDS, _sign)
    return [session] if session else []


def read(session: Session, start: Cursor, sink: Sink) -> Cursor:
    """Tells the session's events from `start` on and returns where it stopped."""
    return read_journal(session.path, start, sink, None, _tell)


def _sign(record: Record) -> Sign:
    match record.get("type"):
        case "session" if record.get("agent") == AGENT:
            return "own"
        case "user" | "assistant":
            return "said"
    return None


def _tell(told: EventWriter, _state: None, record: Record, place: RecordSpan) -> None:
    place.at_ms = instant(record.get("time"))
    said, call = text(record, "text"), text(record, "call")
    match text(record, "type"):
        case "session":
            pass
        case "user":
            told.person(place, said)
        case "assistant":
            told.assistant(place, "text", said, [("model", text(record, "model"))])
        case "tool_call":
            told.tool_call(place, text(record, "tool"), call, shown(record.get("input")))
        case "tool_result":
            told.tool_result(place, call, said, is_error=record.get("failed") is True)
        case other:
            told.unknown(place, other)
