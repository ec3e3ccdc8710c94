"""What extractors have in common."""

from collections.abc import Iterator
from typing import Protocol

from wit_world.imports.types import Event, Evidence

from .failure import failure

__all__ = ["Pages", "events", "evidence", "failure"]

#: Bytes of text asked for at a time.
PAGE = 1024 * 1024


class Pages(Protocol):
    """The events of a session: the host's reader in a component, a list in a test."""

    def next(self, max_bytes: int) -> list[Event]: ...

    def rewind(self) -> None: ...


def events(reader: Pages) -> Iterator[Event]:
    """Every event of a session from the first on, a page at a time."""
    reader.rewind()
    while page := reader.next(PAGE):
        yield from page


def evidence(event: Event, quote: str) -> Evidence:
    """A quote of an event, which has to stand there letter by letter."""
    return Evidence(event.id, quote)
