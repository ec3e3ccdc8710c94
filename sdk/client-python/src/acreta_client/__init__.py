"""A client of acreta's HTTP API. Generated from docs/openapi.json; Python 3.11 or later.

    client = Client(token=open("/home/me/.acreta/token").read().strip())
    for hit in client.search(q="queue")["hits"]:
        print(hit["title"])
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict, cast


class Health(TypedDict):
    """All that is said without a token."""

    # `ok`.
    status: str
    version: str


class ProblemBody(TypedDict):
    """The body of every answer that is not a success."""

    error: Problem
    request_id: str


class Problem(TypedDict):
    code: ProblemCode
    message: str
    # What led to it, the nearest first.
    causes: list[str]
    # What to do about it.
    hints: list[str]


# For programs to branch on.
ProblemCode = Literal["project-not-registered", "not-found", "method-not-allowed", "too-large", "wrong-content-type", "failed", "malformed", "invalid", "unauthorised", "wrong-code", "wrong-host", "wrong-origin", "refused", "changed-meanwhile", "too-slow", "busy", "timed-out"]


class StatusView(TypedDict):
    version: str
    started_ms: int
    # Registered ones.
    projects: int
    sessions: list[SessionTotals]
    queue: QueueTotals
    memories: MemoryTotals
    # What waits for a person in the project that was asked for.
    review: ReviewCounts
    schedule: ScheduleView


class SessionTotals(TypedDict):
    agent: str
    state: SessionState
    sessions: int


# Where a session stands.
SessionState = Literal["queued", "done", "waiting", "new", "failed"]


class QueueTotals(TypedDict):
    queued: int
    running: int
    # Failed and tried again later.
    failed: int
    # Failed for good, until a person says so.
    dead: int
    oldest_queued_ms: NotRequired[int]


class MemoryTotals(TypedDict):
    active: int
    archived: int
    untrusted: int
    stale: int


class ReviewCounts(TypedDict):
    total: int
    # Pairs of memories that contradict each other.
    conflicts: int
    proposals: int
    pending: int
    untrusted: int


class ScheduleView(TypedDict):
    sync: ScheduleLine
    maintain: ScheduleLine


class ScheduleLine(TypedDict):
    running: bool
    # Absent when it is switched off.
    every_seconds: NotRequired[int]
    # When one last ended.
    last_ms: NotRequired[int]
    next_ms: NotRequired[int]


class Overview(TypedDict):
    memories: MemoryCounts
    # The oldest day first.
    growth: list[GrowthDay]
    # How many memories have which effective confidence, from the lowest to the highest.
    decay: list[DecayBar]
    sessions: list[SessionDay]
    runs: RunCounts
    cost: Cost
    # Sessions that were read without the configured model and wait for it, a line for each reason.
    waiting_for_model: list[WaitingForModel]
    denied: list[DeniedRow]


class MemoryCounts(TypedDict):
    by_type: list[TypeCount]
    by_trust: list[TrustCount]
    active: int
    archived: int
    stale: int


class TypeCount(TypedDict):
    type: MemoryType
    memories: int


MemoryType = Literal["decision", "learning", "summary"]


class TrustCount(TypedDict):
    trust: Trust
    memories: int


# Trust level of a memory.
Trust = Literal["untrusted", "grounded", "reviewed", "confirmed"]


class GrowthDay(TypedDict):
    day: str
    added: int
    archived: int
    # At the end of the day.
    active: int


DecayBar = TypedDict(
    "DecayBar",
    {
        "from": "float",
        "to": "float",
        "memories": "int",
    },
)


class SessionDay(TypedDict):
    day: str
    agent: str
    sessions: int


class RunCounts(TypedDict):
    completed: int
    failed: int
    # The newest first.
    recent: list[RunRow]


class RunRow(TypedDict):
    run_id: str
    # `sync`, `hot`, `cold`, `maintain`, `run`.
    mode: str
    project: str
    state: TaskState
    started_ms: int
    # What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts.
    counts: dict[str, Any]
    agent: NotRequired[str]
    session_id: NotRequired[str]
    finished_ms: NotRequired[int]
    error: NotRequired[str]


# State of a job or a run.
TaskState = Literal["accepted", "queued", "running", "completed", "failed", "cancelled"]


class Cost(TypedDict):
    days: list[CostDay]
    total: CostTotal


class CostDay(TypedDict):
    day: str
    calls: int
    input_tokens: int
    output_tokens: int
    # Absent when nobody knows the prices.
    dollars: NotRequired[float]


class CostTotal(TypedDict):
    calls: int
    input_tokens: int
    output_tokens: int
    dollars: NotRequired[float]


class WaitingForModel(TypedDict):
    """Sessions that wait for a model for the same reason."""

    sessions: int
    # Why, and when it is tried again.
    message: str


class DeniedRow(TypedDict):
    """Something that a plugin tried and was not allowed to."""

    plugin: str
    operation: str
    path: str
    count: int
    run_id: str


class Home(TypedDict):
    learnt: Learnt
    # Jobs that failed for good.
    dead_letters: int
    # Why sessions wait for a model, a sentence for each reason.
    waiting_for_model: list[str]
    leaving: Leaving
    memories: HomeCounts
    # Absent where no model is asked.
    spend: NotRequired[SpendToday]


class Learnt(TypedDict):
    """What runs added or changed since a time."""

    since_ms: int
    # New or changed memories, summaries aside.
    total: int
    # Summaries of sessions.
    summaries: int
    # Sessions that were read.
    sessions: int
    # Decisions, conventions and pitfalls first.
    memories: list[LearntMemory]


class LearntMemory(TypedDict):
    id: str
    type: MemoryType
    # Empty when the type has no kinds.
    kind: str
    title: str
    trust: Trust
    # It was there before, and says something else now.
    changed: bool
    at_ms: int


class Leaving(TypedDict):
    """Sessions that their agents delete within a week."""

    total: int
    # Without a copy here: the next sync makes one.
    not_archived: int
    # The next to go first.
    sessions: list[LeavingSession]


class LeavingSession(TypedDict):
    agent: str
    id: str
    # From when on its agent deletes it.
    at_ms: int
    archived: bool
    title: NotRequired[str]


class SpendToday(TypedDict):
    """One day of UTC, of all projects together."""

    calls: int
    tokens: int
    dollars: float
    # By price lists, as far as programs say so; a plan is not billed.
    list_dollars: float
    calls_limit: NotRequired[int]
    tokens_limit: NotRequired[int]
    dollars_limit: NotRequired[float]


class HomeCounts(TypedDict):
    # Active ones, with summaries.
    active: int
    decisions: int
    learnings: int
    summaries: int
    confirmed: int
    # They name what is gone.
    stale: int


TimelineKind = Literal["session", "decision", "learning", "change_of_mind", "rejected"]


class Timeline(TypedDict):
    # The newest first.
    entries: list[TimelineEntry]
    # How many there are of the wanted kind.
    total: int
    counts: TimelineCounts


class TimelineEntry(TypedDict):
    at_ms: int
    kind: TimelineKind
    title: str
    # Of a change of mind: what held before.
    before: list[FormerMemory]
    # Of a session: memories that rest on it.
    memories: int
    # Of the memory that it is about.
    memory_id: NotRequired[str]
    # The kind of a learning, or the type of a memory that has no kind.
    memory_kind: NotRequired[str]
    # The agent whose session it is or comes from.
    agent: NotRequired[str]
    session_id: NotRequired[str]


class FormerMemory(TypedDict):
    title: str
    # Absent for a text that is no memory any more.
    id: NotRequired[str]


class TimelineCounts(TypedDict):
    """How many entries there are of each kind."""

    sessions: int
    decisions: int
    learnings: int
    changes_of_mind: int
    rejected: int


class LiveEvent(TypedDict):
    """One event of `/api/events`."""

    # Goes back as `Last-Event-ID`.
    id: str
    at_ms: int
    # `job` for the jobs of this server, else what the service calls it.
    kind: str
    # The new state of a job, else the name of the event.
    name: str
    # Of a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    fields: dict[str, Any]
    run_id: NotRequired[str]
    request_id: NotRequired[str]
    project: NotRequired[str]


# The body of a call that needs to be told nothing: `{}`.
NoBody = dict[str, Any]


class LoginUrl(TypedDict):
    # The code is behind the `#`, where it reaches no log. It works once, for a minute.
    url: str


class LoginRequest(TypedDict):
    code: str


class SyncRequest(TypedDict):
    """What `acreta sync` takes."""

    # Only the sessions of this agent.
    agent: NotRequired[str | None]
    # Only sessions that changed since then.
    since: NotRequired[str | None]
    # At most so many sessions are run.
    max_sessions: NotRequired[int | None]
    # Also sessions that memory has already.
    force: NotRequired[bool]
    # Look, and write nothing.
    dry_run: NotRequired[bool]


class Accepted(TypedDict):
    job_id: str
    # `accepted`, or `queued` where the same job was waiting already.
    state: TaskState
    # Of the request that asked first, where the same job was waiting already.
    request_id: str


class MaintainRequest(TypedDict):
    """What `acreta maintain` takes."""

    # All registered projects unless told.
    project_root: NotRequired[str | None]
    # Look, and write nothing.
    dry_run: NotRequired[bool]


class JobList(TypedDict):
    # The newest first.
    jobs: list[JobView]


class JobView(TypedDict):
    id: str
    kind: JobKind
    state: TaskState
    created_ms: int
    # Of the request that asked for it; one of its own when the schedule did.
    request_id: str
    started_ms: NotRequired[int]
    finished_ms: NotRequired[int]
    progress: NotRequired[JobProgress]
    # What `sync --json` or `maintain --json` prints.
    result: NotRequired[Any]
    error: NotRequired[Problem]


JobKind = Literal["sync", "maintain"]


class JobProgress(TypedDict):
    """How far a job is."""

    done: int
    # What is being done, for a person.
    message: str
    # Absent while nobody knows.
    total: NotRequired[int]


Status = Literal["active", "archived", "superseded"]


# Whose memory is listed.
ListScope = Literal["project", "global", "all"]


MemorySort = Literal["updated", "created", "title", "confidence", "rank"]


class MemoryPage(TypedDict):
    items: list[MemoryRow]
    # How many fit the filters.
    total: int
    offset: int
    limit: int
    facets: NotRequired[MemoryFacets]


class MemoryRow(TypedDict):
    id: str
    # `project` or `global`.
    scope: str
    type: MemoryType
    # Empty when the type has no kinds.
    kind: str
    title: str
    tags: list[str]
    trust: Trust
    status: Status
    stale: bool
    # From 0 to 1, as it was when it was last said.
    confidence: float
    # From 0 to 1, faded by time and lifted by use.
    effective_confidence: float
    # Days, `2026-01-31`.
    created: str
    updated: str
    # `<agent>/<session id>`, `person`, or `import/<file>`.
    source: str
    # Relative to the memory root.
    path: str
    # How many proposals wait for a person.
    open_proposals: int


class MemoryFacets(TypedDict):
    """How many memories would fit if one more filter were set, the others as they are."""

    types: list[FacetCount]
    kinds: list[FacetCount]
    trusts: list[FacetCount]
    statuses: list[FacetCount]
    # The most frequent ones.
    tags: list[FacetCount]
    stale: int


class FacetCount(TypedDict):
    value: str
    memories: int


class MemoryDetail(TypedDict):
    id: str
    # `project` or `global`.
    scope: str
    type: MemoryType
    # Empty when the type has no kinds.
    kind: str
    title: str
    tags: list[str]
    trust: Trust
    status: Status
    stale: bool
    # From 0 to 1, as it was when it was last said.
    confidence: float
    # From 0 to 1, faded by time and lifted by use.
    effective_confidence: float
    # Days, `2026-01-31`.
    created: str
    updated: str
    # `<agent>/<session id>`, `person`, or `import/<file>`.
    source: str
    # Relative to the memory root.
    path: str
    # How many proposals wait for a person.
    open_proposals: int
    # Markdown.
    body: str
    # Of the file; an edit names it.
    digest: str
    related: list[Link]
    # Earlier memories, and the titles of earlier texts of this one without an id.
    supersedes: list[Link]
    evidence: list[EvidenceQuote]
    proposals: list[MemoryProposal]
    # Files and symbols it names that are gone.
    missing: list[str]
    superseded_by: NotRequired[Link]
    # The day it was last compared with the repository.
    last_verified: NotRequired[str]
    # Who brought it by git, and with which commit, when that was somebody else.
    origin: NotRequired[str]


class Link(TypedDict):
    title: str
    # Absent when it is not, or no longer, a memory.
    id: NotRequired[str]


class EvidenceQuote(TypedDict):
    """What was said, word for word, and where."""

    agent: str
    session_id: str
    run_id: str
    # `user`, `assistant` or `tool`.
    role: str
    quote: str
    event_id: str
    at_ms: NotRequired[int]


class MemoryProposal(TypedDict):
    """A change that waits for a person."""

    run_id: str
    operation: ProposedOperation
    title: str
    body: str
    kind: str
    tags: list[str]
    confidence: float
    reason: str


ProposedOperation = Literal["update", "archive"]


class MemoryProvenance(TypedDict):
    # The newest first.
    evidence: list[ReviewEvidence]
    # Quotes in all; `evidence` has the newest of them.
    quotes: int
    # The texts it had, the newest first.
    versions: list[MemoryVersion]
    used: MemoryUse


class ReviewEvidence(TypedDict):
    """What was said, word for word, and around it."""

    agent: str
    # Empty for what no session said.
    session_id: str
    event_id: str
    # `user`, `assistant` or `tool`.
    role: str
    quote: str
    # The conversation around the quote, in its order; empty where it is not at hand.
    turns: list[Turn]
    at_ms: NotRequired[int]


class Turn(TypedDict):
    """One turn of a conversation."""

    event_id: str
    role: str
    text: str
    # The quote stands in it.
    quoted: bool
    at_ms: NotRequired[int]


class MemoryVersion(TypedDict):
    """A text that the memory had, as a session or a person gave it."""

    at_ms: int
    # `person`, `import` or the agent whose session said it.
    agent: str
    # Empty for what no session said.
    session_id: str
    title: str
    # Against the text before: lines with `+`, `-` or a blank. The first text has none.
    diff: str


class MemoryUse(TypedDict):
    """How often agents got a memory, within the last half year, and what came of it."""

    # Briefs at the start of a session, among those that are kept.
    briefs: int
    # Sessions that were offered it at any moment.
    offered: int
    used: int
    dismissed: int


class MemoryNote(TypedDict):
    """A new memory, by a person."""

    title: str
    body: str
    # Told from the text unless told.
    type: NotRequired[MemoryType | None]
    kind: NotRequired[str | None]
    tags: NotRequired[list[str]]
    # `project` unless told.
    scope: NotRequired[WriteScope | None]
    project_root: NotRequired[str | None]


# The scope of a new memory.
WriteScope = Literal["project", "global"]


class MemoryAdded(TypedDict):
    """What became of a note."""

    # `add`, `update`, `no_op`, or `pending`: it waits for a person.
    action: str
    message: str
    # The memory that holds it now, or the pending record.
    id: NotRequired[str]
    # Relative to the memory root.
    path: NotRequired[str]


class MemoryEdit(TypedDict):
    """What is to be different. At least one of title, body, tags and kind."""

    # The digest of what was read.
    expected_digest: str
    title: NotRequired[str | None]
    body: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    kind: NotRequired[str | None]
    project_root: NotRequired[str | None]


class MemoryChanged(TypedDict):
    id: str
    path: str
    changed: bool
    message: str


class InProject(TypedDict):
    """Which project is meant; the server's own unless told."""

    project_root: NotRequired[str | None]


class ReviewQueue(TypedDict):
    """Everything that waits, what needs a decision most first."""

    waiting: ReviewCounts
    items: list[ReviewItem]
    # The decisions that undo would take back.
    last: list[PastDecision]


class ReviewItem(TypedDict):
    """One thing that waits for a person."""

    id: str
    kind: ReviewKind
    # `project` or `global`.
    scope: str
    title: str
    # The memories it is about; of a conflict the newer first.
    memories: list[ReviewMemory]
    # Why it waits.
    why: str
    actions: list[OfferedAction]
    # Time of its newest evidence.
    at_ms: NotRequired[int]


ReviewKind = Literal["conflict", "proposal", "pending", "untrusted"]


class ReviewMemory(TypedDict):
    """A text of an item: a memory, or what would be one."""

    # The kind of a learning, or the type of what has no kind.
    kind: str
    title: str
    # Markdown, without the heading that repeats the title.
    body: str
    tags: list[str]
    trust: str
    # Absent for what is no memory yet.
    id: NotRequired[str]


class OfferedAction(TypedDict):
    """An action that an item allows, and its meaning there."""

    action: ReviewAction
    # For people: `keep both`.
    label: str
    # It takes the id of the memory that stands afterwards.
    needs_keep: bool


ReviewAction = Literal["accept", "edit", "reject", "merge", "supersede"]


class PastDecision(TypedDict):
    """A decision that can be taken back, or was."""

    id: str
    action: str
    title: str
    at_ms: int


class ReviewDetail(TypedDict):
    """One item with everything a decision takes."""

    item: ReviewItem
    evidence: list[ReviewEvidence]
    # Of each action that takes nothing more from the reviewer.
    effects: list[ActionEffect]
    # Memories worded alike, with which it could be merged.
    alike: list[AlikeMemory]


class ActionEffect(TypedDict):
    """The effect of a decision on memory, worked out before it is made."""

    action: ReviewAction
    # Sentences for people.
    summary: list[str]
    files: list[FileDiff]
    # Why it cannot be done.
    problem: NotRequired[str]


class FileDiff(TypedDict):
    # Relative to the memory root, afterwards.
    path: str
    # Lines of the text that people read, each after `+`, `-` or a space; empty if it stays as it is.
    diff: str


class AlikeMemory(TypedDict):
    id: str
    title: str


class ReviewRequest(TypedDict):
    """Decisions, made one after the other."""

    decisions: list[ReviewChoice]
    # Only say what each would do by itself.
    dry_run: NotRequired[bool]
    project_root: NotRequired[str | None]


class ReviewChoice(TypedDict):
    """A decision on one item."""

    # The item's id.
    id: str
    action: ReviewAction
    # The memory that stands afterwards; of a conflict the newer one unless told.
    keep: NotRequired[str]
    # The reviewer's own words, for an edit.
    title: NotRequired[str]
    body: NotRequired[str]


class ReviewReport(TypedDict):
    """What became of decisions."""

    decisions: list[DecisionReport]
    waiting: ReviewCounts
    # Nothing was changed: this is what would be done.
    dry_run: bool


class DecisionReport(TypedDict):
    id: str
    title: str
    message: str
    effect: ActionEffect


class ReviewUndone(TypedDict):
    """What undo took back."""

    # The last decision first.
    undone: list[PastDecision]
    waiting: ReviewCounts


SearchScope = Literal["project_fallback_global", "project_only", "global_only"]


class SearchPage(TypedDict):
    query: str
    # The best first.
    hits: list[SearchHit]
    # Whether something comes after them.
    more: bool


class SearchHit(TypedDict):
    id: str
    scope: str
    type: MemoryType
    kind: str
    title: str
    path: str
    trust: Trust
    status: Status
    score: float
    snippet: str
    # Bytes of the snippet that fit the query, from and to.
    marks: list[tuple[int, int]]


class AskRequest(TypedDict):
    question: str
    project_root: NotRequired[str | None]


class AskAnswer(TypedDict):
    question: str
    # False when nothing in memory answers the question.
    answered: bool
    # One or two sentences of memory, or a model's with a source each; empty when it is not answered.
    answer: str
    sources: list[AskSource]
    # The memories nearest to a question that is not answered.
    nearest: list[AskSource]
    # `passages` or `model`.
    by: str


class AskSource(TypedDict):
    # As the answer names it.
    number: int
    id: str
    scope: str
    title: str
    path: str
    trust: Trust


class Connection(TypedDict):
    agent: str
    # The plugin that reads its sessions.
    adapter: str
    granted: bool
    roots: list[str]
    sessions: int
    # Absent when the agent keeps its sessions.
    deletes_after_days: NotRequired[int]


class NewConnection(TypedDict):
    agent: str
    # A folder of sessions; where the agent usually has them unless told.
    root: NotRequired[str | None]


class Removed(TypedDict):
    agent: str
    changed: bool
    message: str


class ProjectRow(TypedDict):
    path: str
    registered: bool
    exists: bool
    sessions: int
    memories: int
    # Whether its own settings count.
    trusted: bool
    # The one that a request means which names none.
    current: bool


class NewProject(TypedDict):
    path: str


class ProjectAdded(TypedDict):
    # As it is registered: the main checkout.
    path: str
    changed: bool
    message: str


class ProjectChanged(TypedDict):
    path: str
    changed: bool
    message: str


class ProjectTrust(TypedDict):
    """Whether the settings that lie in a project count."""

    path: str
    trusted: bool


class ExcludedFolders(TypedDict):
    """Folders whose sessions are not read, whatever agent worked there."""

    folders: list[str]


class ExcludedFolder(TypedDict):
    folder: str


class Exclusions(TypedDict):
    """What a change of the excluded folders came to."""

    # The folder that was named, as it is kept.
    folder: str
    # All that are excluded now.
    excluded: list[str]
    # Sessions of the folder that were archived before. They stay.
    archived: int


class PluginRow(TypedDict):
    id: str
    # `adapter`, `extractor`, `explorer` or `memory-writer`.
    role: str
    # `built-in`, or the path of the component.
    origin: str
    # The interface it was made for, `acreta:adapter@0.1.0`.
    wit: str
    # SHA-256 of the component.
    digest: str
    bytes: int
    grants: list[PluginGrant]
    limits: dict[str, Any]
    use: PluginUse


class PluginGrant(TypedDict):
    """A folder that it asks to read."""

    root: str
    # Where it may be on this machine.
    candidates: list[str]
    reason: str
    granted: bool


class PluginUse(TypedDict):
    runs: int
    calls: int
    guest_ms: int
    peak_memory_bytes: int
    failures: int
    denied: int


class ModelView(TypedDict):
    # Whoever could read sessions on this machine.
    found: list[ModelChoice]
    spend: SpendToday
    # Providers that take no calls for now, a sentence for each.
    blocked: list[str]
    # `PROVIDER` or `PROVIDER/MODEL`; absent when nobody is asked.
    current: NotRequired[str]


class ModelChoice(TypedDict):
    """Something that could read sessions."""

    # As `choose_model` takes it.
    name: str
    label: str
    # `plan`, `local` or `api-key`.
    access: str
    # `ready`, `logged-out` or `unknown`.
    readiness: str
    # Where sessions go.
    destination: str
    # The command that makes it ready.
    remedy: NotRequired[str]


class ChosenModel(TypedDict):
    # `PROVIDER` or `PROVIDER/MODEL`; nobody is asked any more when it is absent.
    name: NotRequired[str | None]


class ModelTrial(TypedDict):
    """One session as the model read it; nothing of it is kept."""

    reader: str
    agent: str
    session_id: str
    events: int
    found: list[TrialFinding]
    calls: int
    input_tokens: int
    output_tokens: int
    total_ms: int
    cost_dollars: NotRequired[float]
    # Why a request got no reply.
    problem: NotRequired[str]


class TrialFinding(TypedDict):
    type: MemoryType
    kind: str
    title: str
    body: str
    quotes: list[str]


class SettingsForm(TypedDict):
    """All settings with what a form needs to show them."""

    # By key.
    settings: list[SettingRow]
    # Sentences about settings of files and variables that do not count.
    ignored: list[str]


class SettingRow(TypedDict):
    key: str
    help: str
    # `built-in`, a file, or a variable; empty where nothing is set.
    origin: str
    # The values that it takes; empty for any.
    choices: list[str]
    # Whether [`set_plain`] takes it.
    plain: bool
    # Absent where nothing is set.
    value: NotRequired[Any]


class NewSetting(TypedDict):
    key: str
    # A number, a switch, or one of the setting's words.
    value: Any


class SettingWritten(TypedDict):
    # The file that has it now.
    file: str
    # The value as TOML.
    value: str


class BriefList(TypedDict):
    # The newest first, each with the reason for every line.
    briefs: list[GivenBrief]


class GivenBrief(TypedDict):
    """A brief as an agent got it, and why each line is in it."""

    # Milliseconds since 1970.
    at_ms: int
    # Where it started, relative to the project; empty for its root.
    directory: str
    # Files that the branch changed.
    changed: int
    # Open ends of the last session.
    open: list[str]
    lines: list[BriefLine]
    left_out: LeftOut
    tokens: int
    # The whole brief.
    text: str
    # The session, as its agent calls it.
    session: NotRequired[str]
    agent: NotRequired[str]
    branch: NotRequired[str]
    # The default branch that changed files are counted from.
    base: NotRequired[str]


class BriefLine(TypedDict):
    """A memory in a brief."""

    id: str
    text: str
    # Why it is told.
    reason: str


class LeftOut(TypedDict):
    """How many memories are not told."""

    # They clear the bar and did not fit.
    space: int
    # Too weak or faded to clear the bar.
    weak: int
    # Only a tool says so, stale, or something else took their place.
    doubtful: int


class RunList(TypedDict):
    # The newest first.
    runs: list[RunRow]


class RunDetail(TypedDict):
    run_id: str
    # `sync`, `hot`, `cold`, `maintain`, `run`.
    mode: str
    project: str
    state: TaskState
    started_ms: int
    # What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts.
    counts: dict[str, Any]
    # Where its artifacts are, on this machine.
    folder: str
    # How long its steps took, in their order; empty where nobody wrote that down.
    steps: list[StepTime]
    # Lines of `agent.log`.
    log: list[str]
    # Lines of `subagents.log`.
    findings: list[Any]
    # From `extract.json`.
    candidates: list[Any]
    # Names of the files in its folder.
    artifacts: list[str]
    agent: NotRequired[str]
    session_id: NotRequired[str]
    finished_ms: NotRequired[int]
    error: NotRequired[str]
    # `memory_actions.json` or `maintain_actions.json`, as it is; absent when there is none.
    report: NotRequired[Any]


class StepTime(TypedDict):
    step: str
    started_ms: int
    # Absent while it goes on.
    ended_ms: NotRequired[int]


class QueueList(TypedDict):
    # In the order in which they are taken.
    jobs: list[QueueJob]


class QueueJob(TypedDict):
    id: str
    agent: str
    session_id: str
    project: str
    # Why it was put down: `sync`, `hot`, `cold`.
    mode: str
    state: TaskState
    # Nothing is done with it until a person says so.
    dead: bool
    # Attempts that were made, with the one that runs.
    attempt: int
    created_ms: int
    # It is not tried before this.
    not_before_ms: NotRequired[int]
    started_ms: NotRequired[int]
    finished_ms: NotRequired[int]
    # Why the last attempt did not succeed, or why it was cancelled.
    cause: NotRequired[str]
    # Its last run.
    run_id: NotRequired[str]


class QueueChanged(TypedDict):
    id: str
    changed: bool
    message: str


class SessionPage(TypedDict):
    # The newest first.
    items: list[SessionRow]
    total: int


class SessionRow(TypedDict):
    agent: str
    id: str
    state: SessionState
    # Where its text is.
    copy: SessionCopy
    bytes: int
    title: NotRequired[str]
    # Absent when it is known to have none.
    project: NotRequired[str]
    updated_ms: NotRequired[int]
    revision: NotRequired[str]


# Where the text of a session is.
SessionCopy = Literal["agent_only", "archived", "rescued", "prompts_only", "lost"]


class SessionsFound(TypedDict):
    # Of the newest sessions first.
    hits: list[SessionHit]
    # Sessions that were looked through.
    searched: int
    # Sessions that were not, because enough was found before.
    left: int
    # Sessions that could not be read.
    unreadable: int


class SessionHit(TypedDict):
    """A place where the text stands."""

    agent: str
    session_id: str
    event_id: str
    role: str
    # The text with some words around it, on one line.
    snippet: str
    title: NotRequired[str]
    at_ms: NotRequired[int]


class SessionDetail(TypedDict):
    agent: str
    id: str
    state: SessionState
    # Where its text is.
    copy: SessionCopy
    bytes: int
    # What it led to.
    memories: list[SessionMemory]
    # The newest first.
    runs: list[RunRow]
    title: NotRequired[str]
    # Absent when it is known to have none.
    project: NotRequired[str]
    updated_ms: NotRequired[int]
    revision: NotRequired[str]


class SessionMemory(TypedDict):
    id: str
    title: str
    type: MemoryType
    # Empty when the type has no kinds.
    kind: str
    # Ids of the events that it quotes.
    events: list[str]


class EventPage(TypedDict):
    events: list[SessionEvent]
    total: int
    # How many events come before the first of these.
    offset: int


class SessionEvent(TypedDict):
    id: str
    # `user`, `assistant`, `tool` or `system`.
    role: str
    # `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`.
    kind: str
    text: str
    attrs: dict[str, Any]
    # Whether the text goes on after what is given.
    truncated: bool
    at_ms: NotRequired[int]


class ContextRequest(TypedDict):
    project_root: str
    # `compact` unless told.
    detail: NotRequired[ContextDetail | None]
    # Look at every file again first.
    refresh: NotRequired[bool]
    # What the context is for.
    query: NotRequired[str | None]
    # The most tokens of the answer.
    budget: NotRequired[int | None]
    # A git revision; the last exploration unless told. Only `delta` looks at it.
    since: NotRequired[str | None]


ContextDetail = Literal["compact", "normal", "verbose"]


class AcretaError(Exception):
    """A call that did nothing, and why."""

    def __init__(self, status: int, problem: Problem, request_id: str) -> None:
        super().__init__(problem["message"])
        self.status = status
        self.code: str = problem["code"]
        self.message: str = problem["message"]
        self.causes: list[str] = problem["causes"]
        self.hints: list[str] = problem["hints"]
        self.request_id = request_id


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token goes to one server and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _lines(response: Any) -> Iterator[LiveEvent]:
    with response:
        for line in response:
            if line.startswith(b"data:"):
                yield cast(LiveEvent, json.loads(line[5:]))


def _failure(error: urllib.error.HTTPError) -> AcretaError:
    with error:
        text = error.read()
    try:
        body = cast(ProblemBody, json.loads(text))
        return AcretaError(error.code, body["error"], body["request_id"])
    except (ValueError, KeyError, TypeError):
        problem: Problem = {"code": "failed", "message": str(error), "causes": [], "hints": []}
        return AcretaError(error.code, problem, "")


class Client:
    """Calls one server. Every method is one call; a failure raises AcretaError."""

    def __init__(
        self,
        token: str,
        base_url: str = "http://127.0.0.1:8765",
        timeout: float = 150.0,
        request_id: str | None = None,
    ) -> None:
        self._token = token
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._request_id = request_id
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), _NoRedirect()
        )

    def with_request_id(self, request_id: str) -> Client:
        """A client whose calls have this id in acreta's log: letters, digits and `._-`, at most 128."""
        return Client(self._token, self._base_url, self._timeout, request_id)

    def _open(self, method: str, path: str, fields: dict[str, Any], headers: dict[str, str]) -> Any:
        given = {name: value for name, value in fields.items() if value is not None}
        url = self._base_url + path
        body = None
        headers = {"Authorization": f"Bearer {self._token}", **headers}
        if self._request_id is not None:
            headers["X-Request-Id"] = self._request_id
        if method == "GET":
            if given:
                words = {name: _word(value) for name, value in given.items()}
                url += "?" + urllib.parse.urlencode(words)
        else:
            body = json.dumps(given).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            raise _failure(error) from None

    def _call(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        with self._open(method, path, fields, {}) as response:
            return json.load(response)

    def _events(
        self, path: str, fields: dict[str, Any], last_event_id: str | None
    ) -> Iterator[LiveEvent]:
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        return _lines(self._open("GET", path, fields, headers))

    def health(
        self,
    ) -> Health:
        """Whether the server is there"""
        return cast(Health, self._call("GET", "/api/health", {}))

    def status(
        self,
        *,
        project_root: str | None = None,
    ) -> StatusView:
        """How the daemon stands"""
        return cast(StatusView, self._call("GET", "/api/status", {"project_root": project_root}))

    def openapi(
        self,
    ) -> Any:
        """This document"""
        return cast(Any, self._call("GET", "/api/openapi.json", {}))

    def overview(
        self,
        *,
        project_root: str | None = None,
    ) -> Overview:
        """Figures for charts"""
        return cast(Overview, self._call("GET", "/api/overview", {"project_root": project_root}))

    def home(
        self,
        *,
        project_root: str | None = None,
        since: int | None = None,
    ) -> Home:
        """What was learnt, what needs a person, what is about to go, what was spent"""
        return cast(Home, self._call("GET", "/api/home", {"project_root": project_root, "since": since}))

    def timeline(
        self,
        *,
        project_root: str | None = None,
        kind: TimelineKind | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> Timeline:
        """Sessions, decisions and changes of mind of a project, the newest first"""
        return cast(Timeline, self._call("GET", "/api/timeline", {"project_root": project_root, "kind": kind, "offset": offset, "limit": limit}))

    def events(
        self,
        *,
        project_root: str | None = None,
        last_event_id: str | None = None,
    ) -> Iterator[LiveEvent]:
        """What happens, as server-sent events; the data of each is one object"""
        return self._events("/api/events", {"project_root": project_root}, last_event_id)

    def login_code(
        self,
    ) -> LoginUrl:
        """Make a URL that lets a browser in once"""
        return cast(LoginUrl, self._call("POST", "/api/login/code", {}))

    def login(
        self,
        *,
        code: str,
    ) -> NoBody:
        """Trade a code for a cookie"""
        return cast(NoBody, self._call("POST", "/api/login", {"code": code}))

    def logout(
        self,
    ) -> NoBody:
        """Forget the browser that asks"""
        return cast(NoBody, self._call("POST", "/api/logout", {}))

    def sync(
        self,
        *,
        agent: str | None = None,
        since: str | None = None,
        max_sessions: int | None = None,
        force: bool | None = None,
        dry_run: bool | None = None,
    ) -> Accepted:
        """Bring new sessions into memory"""
        return cast(Accepted, self._call("POST", "/api/sync", {"agent": agent, "since": since, "max_sessions": max_sessions, "force": force, "dry_run": dry_run}))

    def maintain(
        self,
        *,
        project_root: str | None = None,
        dry_run: bool | None = None,
    ) -> Accepted:
        """Consolidate, verify and fade memories"""
        return cast(Accepted, self._call("POST", "/api/maintain", {"project_root": project_root, "dry_run": dry_run}))

    def list_jobs(
        self,
    ) -> JobList:
        """The last jobs of this server, the newest first"""
        return cast(JobList, self._call("GET", "/api/jobs", {}))

    def get_job(
        self,
        id: str,
    ) -> JobView:
        """One job"""
        return cast(JobView, self._call("GET", f"/api/jobs/{_quoted(id)}", {}))

    def cancel_job(
        self,
        id: str,
    ) -> JobView:
        """Cancel a job; one that runs ends when it notices"""
        return cast(JobView, self._call("POST", f"/api/jobs/{_quoted(id)}/cancel", {}))

    def list_memories(
        self,
        *,
        project_root: str | None = None,
        type: MemoryType | None = None,
        kind: str | None = None,
        tag: str | None = None,
        trust: Trust | None = None,
        status: Status | None = None,
        stale: bool | None = None,
        scope: ListScope | None = None,
        text: str | None = None,
        sort: MemorySort | None = None,
        facets: bool | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> MemoryPage:
        """Memories by filters, in pages"""
        return cast(MemoryPage, self._call("GET", "/api/memories", {"project_root": project_root, "type": type, "kind": kind, "tag": tag, "trust": trust, "status": status, "stale": stale, "scope": scope, "text": text, "sort": sort, "facets": facets, "offset": offset, "limit": limit}))

    def add_memory(
        self,
        *,
        title: str,
        body: str,
        type: MemoryType | None = None,
        kind: str | None = None,
        tags: list[str] | None = None,
        scope: WriteScope | None = None,
        project_root: str | None = None,
    ) -> MemoryAdded:
        """Take a person's note in"""
        return cast(MemoryAdded, self._call("POST", "/api/memories", {"title": title, "body": body, "type": type, "kind": kind, "tags": tags, "scope": scope, "project_root": project_root}))

    def get_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryDetail:
        """One memory with its evidence"""
        return cast(MemoryDetail, self._call("GET", f"/api/memories/{_quoted(id)}", {"project_root": project_root}))

    def edit_memory(
        self,
        id: str,
        *,
        expected_digest: str,
        title: str | None = None,
        body: str | None = None,
        tags: list[str] | None = None,
        kind: str | None = None,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Change a memory that is still as it was read"""
        return cast(MemoryChanged, self._call("PUT", f"/api/memories/{_quoted(id)}", {"expected_digest": expected_digest, "title": title, "body": body, "tags": tags, "kind": kind, "project_root": project_root}))

    def memory_provenance(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryProvenance:
        """Evidence in its conversation, earlier texts, and use of a memory"""
        return cast(MemoryProvenance, self._call("GET", f"/api/memories/{_quoted(id)}/provenance", {"project_root": project_root}))

    def confirm_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Vouch for a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/confirm", {"project_root": project_root}))

    def reject_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Say that a memory is wrong"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/reject", {"project_root": project_root}))

    def archive_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Put a memory away"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/archive", {"project_root": project_root}))

    def restore_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Take a memory back"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/restore", {"project_root": project_root}))

    def accept_proposal(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Accept what is proposed for a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/accept", {"project_root": project_root}))

    def list_review(
        self,
        *,
        project_root: str | None = None,
    ) -> ReviewQueue:
        """Everything that waits for a person"""
        return cast(ReviewQueue, self._call("GET", "/api/review", {"project_root": project_root}))

    def decide_review(
        self,
        *,
        decisions: list[ReviewChoice],
        dry_run: bool | None = None,
        project_root: str | None = None,
    ) -> ReviewReport:
        """Decide on items, or see what decisions would do"""
        return cast(ReviewReport, self._call("POST", "/api/review", {"decisions": decisions, "dry_run": dry_run, "project_root": project_root}))

    def get_review_item(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> ReviewDetail:
        """One item with its evidence and the effect of each action"""
        return cast(ReviewDetail, self._call("GET", f"/api/review/{_quoted(id)}", {"project_root": project_root}))

    def undo_review(
        self,
        *,
        project_root: str | None = None,
    ) -> ReviewUndone:
        """Take back the decisions that were made last"""
        return cast(ReviewUndone, self._call("POST", "/api/review/undo", {"project_root": project_root}))

    def search(
        self,
        *,
        q: str,
        project_root: str | None = None,
        type: MemoryType | None = None,
        kind: str | None = None,
        tag: str | None = None,
        agent: str | None = None,
        trust: Trust | None = None,
        status: Status | None = None,
        since: str | None = None,
        scope: SearchScope | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> SearchPage:
        """Find memories"""
        return cast(SearchPage, self._call("GET", "/api/search", {"q": q, "project_root": project_root, "type": type, "kind": kind, "tag": tag, "agent": agent, "trust": trust, "status": status, "since": since, "scope": scope, "limit": limit, "offset": offset}))

    def ask(
        self,
        *,
        question: str,
        project_root: str | None = None,
    ) -> AskAnswer:
        """Ask memory a question"""
        return cast(AskAnswer, self._call("POST", "/api/ask", {"question": question, "project_root": project_root}))

    def list_connections(
        self,
    ) -> list[Connection]:
        """Agents and whether their sessions may be read"""
        return cast(list[Connection], self._call("GET", "/api/connect", {}))

    def connect(
        self,
        *,
        agent: str,
        root: str | None = None,
    ) -> Connection:
        """Let an agent's sessions be read"""
        return cast(Connection, self._call("POST", "/api/connect", {"agent": agent, "root": root}))

    def disconnect(
        self,
        agent: str,
    ) -> Removed:
        """Read an agent's sessions no longer"""
        return cast(Removed, self._call("POST", f"/api/connect/{_quoted(agent)}/remove", {}))

    def list_projects(
        self,
    ) -> list[ProjectRow]:
        """Projects that are known"""
        return cast(list[ProjectRow], self._call("GET", "/api/project/list", {}))

    def add_project(
        self,
        *,
        path: str,
    ) -> ProjectAdded:
        """Register a project"""
        return cast(ProjectAdded, self._call("POST", "/api/project/add", {"path": path}))

    def remove_project(
        self,
        *,
        path: str,
    ) -> ProjectChanged:
        """Leave a project out from now on"""
        return cast(ProjectChanged, self._call("POST", "/api/project/remove", {"path": path}))

    def trust_project(
        self,
        *,
        path: str,
        trusted: bool,
    ) -> ProjectChanged:
        """Let the settings in a project count, or no longer"""
        return cast(ProjectChanged, self._call("POST", "/api/project/trust", {"path": path, "trusted": trusted}))

    def list_excluded(
        self,
    ) -> ExcludedFolders:
        """Folders whose sessions are not read"""
        return cast(ExcludedFolders, self._call("GET", "/api/exclude", {}))

    def exclude(
        self,
        *,
        folder: str,
    ) -> Exclusions:
        """Read no session of a folder from now on"""
        return cast(Exclusions, self._call("POST", "/api/exclude", {"folder": folder}))

    def include(
        self,
        *,
        folder: str,
    ) -> Exclusions:
        """Read sessions of a folder again"""
        return cast(Exclusions, self._call("POST", "/api/exclude/remove", {"folder": folder}))

    def list_plugins(
        self,
    ) -> list[PluginRow]:
        """Plugins with their grants, limits and use"""
        return cast(list[PluginRow], self._call("GET", "/api/plugins", {}))

    def get_model(
        self,
    ) -> ModelView:
        """Who reads sessions, who could, and the spending of today"""
        return cast(ModelView, self._call("GET", "/api/model", {}))

    def choose_model(
        self,
        *,
        name: str | None = None,
    ) -> ModelView:
        """Choose who reads sessions, or nobody"""
        return cast(ModelView, self._call("POST", "/api/model", {"name": name}))

    def test_model(
        self,
    ) -> ModelTrial:
        """Have the model read one session, and keep nothing"""
        return cast(ModelTrial, self._call("POST", "/api/model/test", {}))

    def list_settings(
        self,
        *,
        project_root: str | None = None,
    ) -> SettingsForm:
        """All settings, and where each comes from"""
        return cast(SettingsForm, self._call("GET", "/api/settings", {"project_root": project_root}))

    def set_setting(
        self,
        *,
        key: str,
        value: Any,
    ) -> SettingWritten:
        """Change a setting that is a number, a switch or one of several words"""
        return cast(SettingWritten, self._call("POST", "/api/settings", {"key": key, "value": value}))

    def list_briefs(
        self,
        *,
        project_root: str | None = None,
        session: str | None = None,
        limit: int | None = None,
    ) -> BriefList:
        """Briefs that agents got in a project, the newest first, with the reason for each line"""
        return cast(BriefList, self._call("GET", "/api/briefs", {"project_root": project_root, "session": session, "limit": limit}))

    def list_runs(
        self,
        *,
        project_root: str | None = None,
        state: TaskState | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> RunList:
        """Runs, the newest first"""
        return cast(RunList, self._call("GET", "/api/runs", {"project_root": project_root, "state": state, "limit": limit, "before": before}))

    def get_run(
        self,
        id: str,
    ) -> RunDetail:
        """One run with its artifacts"""
        return cast(RunDetail, self._call("GET", f"/api/runs/{_quoted(id)}", {}))

    def list_queue(
        self,
        *,
        state: TaskState | None = None,
    ) -> QueueList:
        """Jobs of the durable queue"""
        return cast(QueueList, self._call("GET", "/api/queue", {"state": state}))

    def retry_queued(
        self,
        id: str,
    ) -> QueueChanged:
        """Try a job again now"""
        return cast(QueueChanged, self._call("POST", f"/api/queue/{_quoted(id)}/retry", {}))

    def skip_queued(
        self,
        id: str,
    ) -> QueueChanged:
        """Never run this revision of the session"""
        return cast(QueueChanged, self._call("POST", f"/api/queue/{_quoted(id)}/skip", {}))

    def cancel_queued(
        self,
        id: str,
    ) -> QueueChanged:
        """Cancel a job of the queue"""
        return cast(QueueChanged, self._call("POST", f"/api/queue/{_quoted(id)}/cancel", {}))

    def list_sessions(
        self,
        *,
        project_root: str | None = None,
        agent: str | None = None,
        state: SessionState | None = None,
        text: str | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> SessionPage:
        """Sessions by filters, in pages"""
        return cast(SessionPage, self._call("GET", "/api/sessions", {"project_root": project_root, "agent": agent, "state": state, "text": text, "offset": offset, "limit": limit}))

    def search_sessions(
        self,
        *,
        q: str,
        project_root: str | None = None,
        agent: str | None = None,
        limit: int | None = None,
    ) -> SessionsFound:
        """Find a text in conversations"""
        return cast(SessionsFound, self._call("GET", "/api/sessions/search", {"q": q, "project_root": project_root, "agent": agent, "limit": limit}))

    def get_session(
        self,
        agent: str,
        id: str,
    ) -> SessionDetail:
        """One session and what it led to"""
        return cast(SessionDetail, self._call("GET", f"/api/sessions/{_quoted(agent)}/{_quoted(id)}", {}))

    def session_events(
        self,
        agent: str,
        id: str,
        *,
        offset: int | None = None,
        limit: int | None = None,
        around: str | None = None,
    ) -> EventPage:
        """The conversation, in pages"""
        return cast(EventPage, self._call("GET", f"/api/sessions/{_quoted(agent)}/{_quoted(id)}/events", {"offset": offset, "limit": limit, "around": around}))

    def explore(
        self,
        *,
        project_root: str,
        detail: ContextDetail | None = None,
        refresh: bool | None = None,
        query: str | None = None,
        budget: int | None = None,
        since: str | None = None,
    ) -> dict[str, Any]:
        """What a codebase is"""
        return cast(dict[str, Any], self._call("POST", "/v1/explore", {"project_root": project_root, "detail": detail, "refresh": refresh, "query": query, "budget": budget, "since": since}))

    def delta(
        self,
        *,
        project_root: str,
        detail: ContextDetail | None = None,
        refresh: bool | None = None,
        query: str | None = None,
        budget: int | None = None,
        since: str | None = None,
    ) -> dict[str, Any]:
        """What changed in a codebase"""
        return cast(dict[str, Any], self._call("POST", "/v1/delta", {"project_root": project_root, "detail": detail, "refresh": refresh, "query": query, "budget": budget, "since": since}))

    def context(
        self,
        *,
        project_root: str,
        detail: ContextDetail | None = None,
        refresh: bool | None = None,
        query: str | None = None,
        budget: int | None = None,
        since: str | None = None,
    ) -> dict[str, Any]:
        """What to read for a task"""
        return cast(dict[str, Any], self._call("POST", "/v1/context", {"project_root": project_root, "detail": detail, "refresh": refresh, "query": query, "budget": budget, "since": since}))

    def refresh(
        self,
        *,
        project_root: str,
        detail: ContextDetail | None = None,
        refresh: bool | None = None,
        query: str | None = None,
        budget: int | None = None,
        since: str | None = None,
    ) -> dict[str, Any]:
        """Look at a codebase again"""
        return cast(dict[str, Any], self._call("POST", "/v1/refresh", {"project_root": project_root, "detail": detail, "refresh": refresh, "query": query, "budget": budget, "since": since}))
