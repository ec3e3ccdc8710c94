"""Writes one markdown file with front matter for each action. The same actions give the same bytes.

What a person added to the front matter of a file stays. The keys of each type are those that acreta's documentation of formats lists.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

from acreta_sdk.failure import failure
from wit_world.exports.memory_writer import Action, Context, Written
from wit_world.imports.registry import MemoryType
from wit_world.imports.types import Candidate, Summary

#: Longest slug in the name of a file.
SLUG = 60

Fields = list[tuple[str, str]]


def apply(
    draft: Path, context: Context, actions: list[Action], types: list[MemoryType]
) -> list[Written]:
    """Drafts one file for each action."""
    known = {entry.name: entry for entry in types}
    # A file keeps its name, so no new one may take it.
    taken = {action.target for action in actions if action.target is not None}
    written = []
    for action in actions:
        content, category = _content(action)
        entry = known.get(category)
        if entry is None:
            raise failure("unknown-type", f"there is no type `{category}`")
        path = action.target or _name(action, entry.folder, content.title, taken)
        if isinstance(content, Summary):
            fields = _summary(context, action, content)
        else:
            fields = _memory(context, action, content, entry)
        lines = "".join(f"{key}: {value}\n" for key, value in fields)
        lines += _kept(action.current or "", fields)
        text = f"---\n{lines}---\n# {content.title}\n\n{content.body.strip()}\n"
        try:
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            message = f"could not write `{path}`: {error.strerror}"
            raise failure("io", message, retryable=True) from error
        written.append(Written(action.id, path, []))
    return written


def _kept(current: str, fields: Fields) -> str:
    """The lines of front matter that a person added: keys that the type does not have."""
    if not current.startswith("---\n"):
        return ""
    known = {key for key, _ in fields}
    front = current.removeprefix("---\n").split("\n---", 1)[0]
    is_own, own = False, ""
    for line in front.splitlines():
        if ":" in line and not line.startswith((" ", "-", "#")):
            is_own = line.split(":", 1)[0] not in known
        own += f"{line}\n" if is_own else ""
    return own


def _content(action: Action) -> tuple[Candidate | Summary, str]:
    if action.candidate is not None and action.summary is None:
        return action.candidate, action.candidate.category
    if action.summary is not None and action.candidate is None:
        return action.summary, "summary"
    raise failure("invalid-action", f"action `{action.id}` needs a candidate or a summary")


def _memory(context: Context, action: Action, one: Candidate, entry: MemoryType) -> Fields:
    session = action.session
    source = f"{session.agent}/{session.id}" if session else context.coding_agent
    return [
        ("id", _quoted(action.memory_id)),
        ("title", _quoted(one.title)),
        *([("kind", _quoted(one.kind))] if entry.kinds else []),
        ("created", _iso(action.created_ms)),
        ("updated", _iso(action.updated_ms)),
        ("source", _quoted(source)),
        ("confidence", f"{one.confidence:.2f}"),
        ("tags", _list(one.tags)),
        ("related", _list(action.related)),
    ]


def _summary(context: Context, action: Action, one: Summary) -> Fields:
    created = _iso(action.created_ms)
    return [
        ("id", _quoted(action.memory_id)),
        ("title", _quoted(one.title)),
        ("description", _quoted(one.description)),
        ("date", created[:10]),
        ("time", _quoted(created[11:19])),
        ("coding_agent", _quoted(context.coding_agent)),
        ("raw_trace_path", _quoted(context.raw_trace_path)),
        ("run_id", _quoted(context.run_id)),
        ("repo_name", _quoted(context.repo_name)),
        ("tags", _list(one.tags)),
        ("related", _list(action.related)),
        ("created", created),
        ("updated", _iso(action.updated_ms)),
    ]


def _name(action: Action, folder: str, title: str, taken: set[str]) -> str:
    """`<folder>/<date>-<slug>.md`, for summaries with the time; then `-2`, `-3`, …."""
    date, clock = re.sub("[-:Z]", "", _iso(action.created_ms)).split("T")
    stem = f"{folder}/{f'{date}-{clock}' if action.summary else date}-{_slug(title)}"
    path, number = f"{stem}.md", 2
    while path in taken:
        path, number = f"{stem}-{number}.md", number + 1
    taken.add(path)
    return path


def _slug(title: str) -> str:
    first, *words = re.findall("[a-z0-9]+", title.lower()) or ["memory"]
    slug = first[:SLUG]
    for word in words:
        if len(slug) + len(word) >= SLUG:
            break
        slug += f"-{word}"
    return slug


def _iso(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _list(items: list[str]) -> str:
    return f"[{', '.join(_quoted(item) for item in items)}]"


def _quoted(text: str) -> str:
    """A string in double quotes, with everything escaped that is not plainly printable."""

    def escaped(letter: str) -> str:
        if letter in '"\\':
            return f"\\{letter}"
        return letter if " " <= letter <= "~" or letter.isalnum() else f"\\U{ord(letter):08x}"

    return f'"{"".join(map(escaped, text))}"'
