"""Finds what a person lays down once and for all ("always …", "never …") and tells what a session was
about. Cites everything; what is not sure is left out.
"""

import re

from acreta_sdk.extractor import Pages, events, evidence, failure
from wit_world.imports.registry import MemoryType
from wit_world.imports.types import Candidate, Event, Summary

#: How a sentence begins that lays something down.
CUES = ("always ", "never ", "from now on ", "we use ")

#: Longest title, in characters.
TITLE = 80


def extract(reader: Pages, types: list[MemoryType]) -> list[Candidate]:
    """What is worth keeping; an empty list is a good answer. The host's table of types decides what a
    memory may be.
    """
    if not any(one.name == "learning" and "convention" in one.kinds for one in types):
        return []
    found: list[Candidate] = []
    for event in events(reader):
        for sentence in _laid_down(event):
            found.append(
                Candidate(
                    id=f"rule-{len(found) + 1}",
                    category="learning",
                    kind="convention",
                    title=sentence[:TITLE],
                    body=sentence,
                    confidence=0.7,
                    tags=[],
                    evidence=[evidence(event, sentence)],
                    attrs=[],
                )
            )
    return found


def summarise(reader: Pages) -> Summary:
    """What was asked, and how it ended."""
    asked: Event | None = None
    answered: Event | None = None
    for event in events(reader):
        if event.kind == "text" and event.role == "user" and asked is None:
            asked = event
        elif event.kind == "text" and event.role == "assistant":
            answered = event
    if asked is None:
        raise failure("nothing-said", "nobody asked for anything in this session")
    request = _first_line(asked.text)
    cited = [evidence(asked, request)]
    body = f"Asked: {request}\n"
    if answered is not None:
        reply = _first_line(answered.text)
        body += f"\nIn the end: {reply}\n"
        cited.append(evidence(answered, reply))
    return Summary(
        title=request[:TITLE],
        description=request,
        body=body,
        tags=[],
        evidence=cited,
        attrs=[],
    )


def _laid_down(event: Event) -> list[str]:
    """The sentences in which a person lays something down. Only `text` of the `user` is their voice."""
    if (event.role, event.kind) != ("user", "text"):
        return []
    sentences = (sentence.strip() for sentence in re.split(r"[.\n]", event.text))
    return [sentence for sentence in sentences if any(cue in sentence.lower() for cue in CUES)]


def _first_line(text: str) -> str:
    return text.strip().split("\n")[0]
