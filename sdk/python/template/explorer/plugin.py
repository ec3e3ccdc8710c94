"""Says of each candidate which memory is nearest, by the words they share. The host searches; what is
found here is a hint, and the host decides.
"""

import re
from collections.abc import Callable

from wit_world.exports.explorer import Finding
from wit_world.imports.search import Hit
from wit_world.imports.types import Candidate

#: How many memories are looked at for a candidate.
LOOKED_AT = 5

#: From this share of common words on, a memory speaks of the same thing.
SAME = 0.5

#: From this share on, there is nothing new in the candidate.
NOTHING_NEW = 0.9

#: The host's search: query, limit, filter.
Find = Callable[[str, int, list[tuple[str, str]]], list[Hit]]


def explore(batch: list[Candidate], find: Find) -> list[Finding]:
    """One finding for each candidate of the batch."""
    return [_finding(candidate, find) for candidate in batch]


def _finding(candidate: Candidate, find: Find) -> Finding:
    said = f"{candidate.title} {candidate.body}"
    nearest = Finding(candidate.id, "add", None, 0.0, "", [])
    for hit in find(said, LOOKED_AT, [("type", candidate.category)]):
        shared = _overlap(said, hit.snippet)
        if shared <= nearest.overlap or shared < SAME:
            continue
        hint = "update" if shared < NOTHING_NEW else "no-op"
        nearest = Finding(candidate.id, hint, hit.path, shared, hit.snippet, [])
    return nearest


def _overlap(said: str, known: str) -> float:
    """The share of the candidate's words that the memory has as well."""
    own = _words(said)
    return len(own & _words(known)) / len(own) if own else 0.0


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 2}
