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
    """The only information that needs no token."""

    # `ok`.
    status: str
    version: str


class ProblemBody(TypedDict):
    """Body of every answer that is not a success."""

    error: Problem
    request_id: str


class Problem(TypedDict):
    code: ProblemCode
    message: str
    # Causes, nearest first.
    causes: list[str]
    # Possible remedies.
    hints: list[str]


# Error code for programs.
ProblemCode = Literal["project-not-registered", "not-found", "method-not-allowed", "too-large", "wrong-content-type", "failed", "malformed", "invalid", "unauthorised", "wrong-code", "wrong-host", "wrong-origin", "refused", "changed-meanwhile", "too-slow", "busy", "timed-out"]


class StatusView(TypedDict):
    version: str
    started_ms: int
    # Number of registered projects.
    projects: int
    sessions: list[SessionTotals]
    queue: QueueTotals
    memories: MemoryTotals
    # Items that wait for review in the requested projects.
    review: ReviewCounts
    schedule: ScheduleView


class SessionTotals(TypedDict):
    agent: str
    state: SessionState
    sessions: int


# State of a session.
SessionState = Literal["queued", "done", "waiting", "new", "cancelled", "failed"]


class QueueTotals(TypedDict):
    queued: int
    running: int
    # Failed, and to be retried later.
    failed: int
    # Failed permanently, until a person retries it.
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
    # Absent if it is switched off.
    every_seconds: NotRequired[int]
    # Time when the last one ended.
    last_ms: NotRequired[int]
    next_ms: NotRequired[int]


class Overview(TypedDict):
    memories: MemoryCounts
    # Oldest day first.
    growth: list[GrowthDay]
    # Number of memories by effective confidence, from lowest to highest.
    decay: list[DecayBar]
    sessions: list[SessionDay]
    runs: RunCounts
    cost: Cost
    # Sessions that were read without the configured model and wait for it, one entry per reason.
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
    # Number at the end of the day.
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
    # Newest first.
    recent: list[RunRow]


class RunRow(TypedDict):
    run_id: str
    # `sync`, `hot`, `cold`, `maintain`, `run`.
    mode: str
    project: str
    state: TaskState
    started_ms: int
    # Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
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
    # Absent if the prices are unknown.
    dollars: NotRequired[float]


class CostTotal(TypedDict):
    calls: int
    input_tokens: int
    output_tokens: int
    dollars: NotRequired[float]


class WaitingForModel(TypedDict):
    """Sessions that wait for a model for the same reason."""

    sessions: int
    # Reason, and time of the next attempt.
    message: str


class DeniedRow(TypedDict):
    """Something that a plugin tried and was denied."""

    plugin: str
    operation: str
    path: str
    count: int
    run_id: str


class Home(TypedDict):
    learnt: Learnt
    # Number of jobs that failed permanently.
    dead_letters: int
    # Reasons why sessions wait for a model, one sentence each.
    waiting_for_model: list[str]
    leaving: Leaving
    memories: HomeCounts
    # Absent if no model is used.
    spend: NotRequired[SpendToday]


class Learnt(TypedDict):
    """Memories that runs added or changed since a time."""

    since_ms: int
    # Number of new or changed memories, without summaries.
    total: int
    # Number of summaries of sessions.
    summaries: int
    # Number of sessions that were read.
    sessions: int
    # Decisions, conventions and pitfalls first.
    memories: list[LearntMemory]


class LearntMemory(TypedDict):
    id: str
    # `project`, `global`, or the path of another project.
    scope: str
    type: MemoryType
    # Empty if the type has no kinds.
    kind: str
    title: str
    trust: Trust
    # The memory existed before, and its text has changed.
    changed: bool
    at_ms: int


class Leaving(TypedDict):
    """Sessions that their agents delete within a week."""

    total: int
    # Number of sessions that are not archived yet: the next sync archives them.
    not_archived: int
    # Next to be deleted first.
    sessions: list[LeavingSession]


class LeavingSession(TypedDict):
    agent: str
    id: str
    # Time of its last change.
    updated_ms: int
    # Time from which its agent deletes it.
    at_ms: int
    archived: bool
    # As its agent or its summary says.
    title: NotRequired[str]
    # Path of its project, or of the folder that it recorded.
    project: NotRequired[str]


class SpendToday(TypedDict):
    """Spending of one day (UTC), of all projects together."""

    calls: int
    tokens: int
    dollars: float
    # By price lists, as far as programs report it; a plan is not billed.
    list_dollars: float
    calls_limit: NotRequired[int]
    tokens_limit: NotRequired[int]
    dollars_limit: NotRequired[float]


class HomeCounts(TypedDict):
    # Number of active memories, including summaries.
    active: int
    decisions: int
    learnings: int
    summaries: int
    confirmed: int
    # Number of memories that name something that no longer exists.
    stale: int


TimelineKind = Literal["session", "decision", "learning", "change_of_mind", "rejected"]


class Timeline(TypedDict):
    # Newest first.
    entries: list[TimelineEntry]
    # Number of entries of the requested kind.
    total: int
    counts: TimelineCounts


class TimelineEntry(TypedDict):
    at_ms: int
    kind: TimelineKind
    title: str
    # For a change of mind: the replaced memories.
    before: list[FormerMemory]
    # For a session: number of memories based on it.
    memories: int
    # `project`, `global`, or the path of another project.
    scope: str
    # Id of the memory that it is about.
    memory_id: NotRequired[str]
    # The kind of a learning, or the type of a memory without kinds.
    memory_kind: NotRequired[str]
    # The agent whose session it is or comes from.
    agent: NotRequired[str]
    session_id: NotRequired[str]


class FormerMemory(TypedDict):
    title: str
    # Absent for a text that is no longer a memory.
    id: NotRequired[str]


class TimelineCounts(TypedDict):
    """Number of entries of each kind."""

    sessions: int
    decisions: int
    learnings: int
    changes_of_mind: int
    rejected: int


class LiveEvent(TypedDict):
    """One event of `/api/events`."""

    # To be sent back as `Last-Event-ID`.
    id: str
    at_ms: int
    # `job` for jobs of this server, otherwise the service's kind.
    kind: str
    # The new state of a job, otherwise the name of the event.
    name: str
    # For a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    fields: dict[str, Any]
    run_id: NotRequired[str]
    request_id: NotRequired[str]
    project: NotRequired[str]


# The body of a call without parameters: `{}`.
NoBody = dict[str, Any]


class LoginUrl(TypedDict):
    # The code is in the fragment, so that it reaches no log. It works once, within half a minute.
    url: str


class LoginCodes(TypedDict):
    # Number of login codes that were neither used nor expired.
    waiting: int


class LoginRequest(TypedDict):
    code: str


class BrowserToken(TypedDict):
    # For `Authorization: Bearer`; valid for a week, or until the server ends.
    token: str


class SyncRequest(TypedDict):
    """Options of a sync, as for `acreta sync`."""

    # Only sessions of this agent.
    agent: NotRequired[str | None]
    # Only sessions that changed since this time.
    since: NotRequired[str | None]
    # Maximum number of sessions to run.
    max_sessions: NotRequired[int | None]
    # Include sessions that were processed already.
    force: NotRequired[bool]
    # Change nothing; only report what would be done.
    dry_run: NotRequired[bool]


class Accepted(TypedDict):
    job_id: str
    # `accepted`, or `queued` if an identical job was waiting already.
    state: TaskState
    # Id of the request that created the job, which is an earlier one if an identical job was waiting already.
    request_id: str


class MaintainRequest(TypedDict):
    """Options of a maintenance, as for `acreta maintain`."""

    # Default: all registered projects.
    project_root: NotRequired[str | None]
    # Change nothing; only report what would be done.
    dry_run: NotRequired[bool]


class JobList(TypedDict):
    # Newest first.
    jobs: list[JobView]


class JobView(TypedDict):
    id: str
    kind: JobKind
    state: TaskState
    created_ms: int
    # Id of the request that created the job; a new id if the schedule created it.
    request_id: str
    started_ms: NotRequired[int]
    finished_ms: NotRequired[int]
    progress: NotRequired[JobProgress]
    # The output of `sync --json` or `maintain --json`.
    result: NotRequired[Any]
    error: NotRequired[Problem]


JobKind = Literal["sync", "maintain"]


class JobProgress(TypedDict):
    """Progress of a job."""

    done: int
    # Description of the current step, for a person.
    message: str
    # Absent while unknown.
    total: NotRequired[int]


Status = Literal["active", "archived", "superseded"]


# The memory to list.
ListScope = Literal["project", "global", "all"]


MemorySort = Literal["updated", "created", "title", "confidence", "rank"]


class MemoryPage(TypedDict):
    items: list[MemoryRow]
    # Number of memories that match the filters.
    total: int
    offset: int
    limit: int
    facets: NotRequired[MemoryFacets]


class MemoryRow(TypedDict):
    id: str
    # `project`, `global`, or the path of another project.
    scope: str
    type: MemoryType
    # Empty if the type has no kinds.
    kind: str
    title: str
    tags: list[str]
    trust: Trust
    status: Status
    stale: bool
    # From 0 to 1, at the time of the last evidence.
    confidence: float
    # From 0 to 1, reduced by age and raised by use.
    effective_confidence: float
    # Days, `2026-01-31`.
    created: str
    updated: str
    # `<agent>/<session id>`, `person`, or `import/<file>`.
    source: str
    # Relative to the memory root.
    path: str
    # Number of proposals that wait for a person.
    open_proposals: int


class MemoryFacets(TypedDict):
    """Number of memories that would match if one more filter were set."""

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
    # `project`, `global`, or the path of another project.
    scope: str
    type: MemoryType
    # Empty if the type has no kinds.
    kind: str
    title: str
    tags: list[str]
    trust: Trust
    status: Status
    stale: bool
    # From 0 to 1, at the time of the last evidence.
    confidence: float
    # From 0 to 1, reduced by age and raised by use.
    effective_confidence: float
    # Days, `2026-01-31`.
    created: str
    updated: str
    # `<agent>/<session id>`, `person`, or `import/<file>`.
    source: str
    # Relative to the memory root.
    path: str
    # Number of proposals that wait for a person.
    open_proposals: int
    # Markdown.
    body: str
    # Digest of the file; an edit has to name it.
    digest: str
    related: list[Link]
    # Earlier memories; earlier texts of this memory are titles without an id.
    supersedes: list[Link]
    evidence: list[EvidenceQuote]
    proposals: list[MemoryProposal]
    # Files and symbols that it names and that no longer exist.
    missing: list[str]
    superseded_by: NotRequired[Link]
    # Day of the last comparison with the repository.
    last_verified: NotRequired[str]
    # Who brought it by git, and with which commit, if that was somebody else.
    origin: NotRequired[str]


class Link(TypedDict):
    title: str
    # Absent if it is not a memory, or no longer one.
    id: NotRequired[str]


class EvidenceQuote(TypedDict):
    """A word-for-word quote and its place."""

    agent: str
    session_id: str
    run_id: str
    # `user`, `assistant` or `tool`.
    role: str
    quote: str
    event_id: str
    at_ms: NotRequired[int]


class MemoryProposal(TypedDict):
    """A proposed change that waits for a person."""

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
    # Newest first.
    evidence: list[ReviewEvidence]
    # Total number of quotes; `evidence` has the newest of them.
    quotes: int
    # Its texts, newest first.
    versions: list[MemoryVersion]
    used: MemoryUse


class ReviewEvidence(TypedDict):
    """A word-for-word quote with its context."""

    agent: str
    # Empty if it is not from a session.
    session_id: str
    event_id: str
    # `user`, `assistant` or `tool`.
    role: str
    quote: str
    # The conversation around the quote, in order; empty if it is not available.
    turns: list[Turn]
    at_ms: NotRequired[int]


class Turn(TypedDict):
    """One turn of a conversation."""

    event_id: str
    role: str
    text: str
    # The turn contains the quote.
    quoted: bool
    at_ms: NotRequired[int]


class MemoryVersion(TypedDict):
    """A text of the memory, as given by a session or a person."""

    at_ms: int
    # `person`, `import` or the agent whose session said it.
    agent: str
    # Empty if it is not from a session.
    session_id: str
    title: str
    # Differences to the previous text: lines with `+`, `-` or a blank. Empty for the first text.
    diff: str


class MemoryUse(TypedDict):
    """Number of times agents got a memory within the last half year, and the outcome."""

    # Number of briefs with it at the start of a session, among those that are stored.
    briefs: int
    # Number of sessions that were offered it at any moment.
    offered: int
    used: int
    dismissed: int


class MemoryNote(TypedDict):
    """A new memory, written by a person."""

    title: str
    body: str
    # Default: inferred from the text.
    type: NotRequired[MemoryType | None]
    kind: NotRequired[str | None]
    tags: NotRequired[list[str]]
    # Default: `project`.
    scope: NotRequired[WriteScope | None]
    project_root: NotRequired[str | None]


# The scope of a new memory.
WriteScope = Literal["project", "global"]


class MemoryAdded(TypedDict):
    """Result of adding a note."""

    # `add`, `update`, `no_op`, or `pending`: it waits for a person.
    action: str
    message: str
    # The memory that now holds it, or the pending record.
    id: NotRequired[str]
    # Relative to the memory root.
    path: NotRequired[str]


class MemoryEdit(TypedDict):
    """The fields to change. At least one of title, body, tags and kind."""

    # Digest of the version that was read.
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
    """The project of a request. Default: the server's own."""

    project_root: NotRequired[str | None]


class ReviewQueue(TypedDict):
    """All waiting items, most urgent first."""

    waiting: ReviewCounts
    items: list[ReviewItem]
    # The decisions that undo would revert.
    last: list[PastDecision]


class ReviewItem(TypedDict):
    """One item that waits for a person."""

    id: str
    kind: ReviewKind
    # `project`, `global`, or the path of another project.
    scope: str
    title: str
    # The memories of the item; for a conflict, the newer first.
    memories: list[ReviewMemory]
    # Reason why it waits.
    why: str
    actions: list[OfferedAction]
    # Time of its newest evidence.
    at_ms: NotRequired[int]


ReviewKind = Literal["conflict", "proposal", "pending", "untrusted"]


class ReviewMemory(TypedDict):
    """A text of an item: a memory, or a possible one."""

    # The kind of a learning, or the type of a memory without kinds.
    kind: str
    title: str
    # Markdown, without the heading that repeats the title.
    body: str
    tags: list[str]
    trust: str
    # Absent if it is not a memory yet.
    id: NotRequired[str]


class OfferedAction(TypedDict):
    """An action that an item allows, and its meaning there."""

    action: ReviewAction
    # For people: `keep both`.
    label: str
    # It needs the id of the memory that remains.
    needs_keep: bool


ReviewAction = Literal["accept", "edit", "reject", "merge", "supersede"]


class PastDecision(TypedDict):
    """A decision that can be undone, or was."""

    id: str
    action: str
    title: str
    at_ms: int


class ReviewDetail(TypedDict):
    """One item with everything needed for a decision."""

    item: ReviewItem
    evidence: list[ReviewEvidence]
    # Effects of the actions that need no further input.
    effects: list[ActionEffect]
    # Similar memories with which it could be merged.
    alike: list[AlikeMemory]


class ActionEffect(TypedDict):
    """The effect of a decision on memory, computed before it is made."""

    action: ReviewAction
    # Sentences for people.
    summary: list[str]
    files: list[FileDiff]
    # Reason why it cannot be done.
    problem: NotRequired[str]


class FileDiff(TypedDict):
    # New path, relative to the memory root.
    path: str
    # Lines of the readable text, each after `+`, `-` or a space; empty if it does not change.
    diff: str


class AlikeMemory(TypedDict):
    id: str
    title: str


class ReviewRequest(TypedDict):
    """Decisions, applied in order."""

    decisions: list[ReviewChoice]
    # Only report what each decision would do on its own.
    dry_run: NotRequired[bool]
    project_root: NotRequired[str | None]
    # All registered projects, and the global memory.
    all_projects: NotRequired[bool]


class ReviewChoice(TypedDict):
    """A decision on one item."""

    # The item's id.
    id: str
    action: ReviewAction
    # The memory that remains. Default for a conflict: the newer one.
    keep: NotRequired[str]
    # The reviewer's own wording, for an edit.
    title: NotRequired[str]
    body: NotRequired[str]


class ReviewReport(TypedDict):
    """Result of decisions."""

    decisions: list[DecisionReport]
    waiting: ReviewCounts
    # Nothing was changed: these are the effects that the decisions would have.
    dry_run: bool


class DecisionReport(TypedDict):
    id: str
    title: str
    message: str
    effect: ActionEffect


class InProjects(TypedDict):
    """The projects of a request. Default: the server's own."""

    project_root: NotRequired[str | None]
    # All registered projects, and the global memory.
    all_projects: NotRequired[bool]


class ReviewUndone(TypedDict):
    """Result of undo."""

    # Last decision first.
    undone: list[PastDecision]
    waiting: ReviewCounts


SearchScope = Literal["project_fallback_global", "project_only", "global_only"]


class SearchPage(TypedDict):
    query: str
    # Best hits first.
    hits: list[SearchHit]
    # More hits follow.
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
    # Byte ranges of the snippet that match the query, as start and end.
    marks: list[tuple[int, int]]


class AskRequest(TypedDict):
    question: str
    project_root: NotRequired[str | None]


class AskAnswer(TypedDict):
    question: str
    # False if memory does not surely answer the question.
    answered: bool
    # One or two passages of memory, or sentences of a model with a source each; empty if the question is not answered.
    answer: str
    sources: list[AskSource]
    # The nearest memories, if the question is not answered.
    nearest: list[AskSource]
    # `passages` or `model`.
    by: str


class AskSource(TypedDict):
    # Number by which the answer refers to it.
    number: int
    id: str
    scope: str
    title: str
    path: str
    trust: Trust
    # Sentences of it that perhaps answer; empty if none is near, or if a model answered.
    passage: str
    # How sure it is that they answer, in percent; 0 if a model answered.
    sure: int


class Connection(TypedDict):
    agent: str
    # The plugin that reads its sessions.
    adapter: str
    granted: bool
    roots: list[str]
    sessions: int
    # Absent if the agent does not delete its sessions.
    deletes_after_days: NotRequired[int]


class NewConnection(TypedDict):
    agent: str
    # A folder of sessions. Default: where the agent usually stores them.
    root: NotRequired[str | None]


class Removed(TypedDict):
    agent: str
    changed: bool
    message: str


class ProjectRow(TypedDict):
    """A project, or a folder whose sessions wait."""

    path: str
    registered: bool
    # False if the folder is gone, or on another machine.
    exists: bool
    sessions: int
    memories: int
    # The project's own settings apply.
    trusted: bool
    # The project used by requests that name none.
    current: bool


class NewProject(TypedDict):
    path: str
    # Path that it had before it moved: its sessions from there become memory, too.
    former: NotRequired[str | None]


class ProjectAdded(TypedDict):
    # Path as registered: the main checkout.
    path: str
    changed: bool
    message: str


class KnownProject(TypedDict):
    path: str


class ProjectChanged(TypedDict):
    path: str
    changed: bool
    message: str


class ProjectTrust(TypedDict):
    """Trust in a project's own settings."""

    path: str
    trusted: bool


class ExcludedFolders(TypedDict):
    """Folders whose sessions are not read, for every agent."""

    folders: list[str]


class ExcludedFolder(TypedDict):
    folder: str


class Exclusions(TypedDict):
    """Result of a change of the excluded folders."""

    # The named folder, as stored.
    folder: str
    # All excluded folders.
    excluded: list[str]
    # Number of the folder's sessions that were archived before. They stay.
    archived: int


class PluginRow(TypedDict):
    id: str
    # `adapter`, `extractor`, `explorer` or `memory-writer`.
    role: str
    # `built-in`, or the path of the component.
    origin: str
    # The interface it was built for, `acreta:adapter@0.1.0`.
    wit: str
    # SHA-256 of the component.
    digest: str
    bytes: int
    grants: list[PluginGrant]
    limits: dict[str, Any]
    use: PluginUse


class PluginGrant(TypedDict):
    """A folder that the plugin asks to read."""

    root: str
    # Possible paths on this machine.
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
    # Everything on this machine that could read sessions.
    found: list[ModelChoice]
    spend: SpendToday
    # Providers that accept no calls at present, one sentence each.
    blocked: list[str]
    # `PROVIDER` or `PROVIDER/MODEL`; absent if no model is used.
    current: NotRequired[str]


class ModelChoice(TypedDict):
    """A model or program that could read sessions."""

    # Name that `choose_model` accepts.
    name: str
    label: str
    # `plan`, `local` or `api-key`.
    access: str
    # `ready`, `logged-out` or `unknown`.
    readiness: str
    # Destination of the text of sessions.
    destination: str
    # The command that makes it ready.
    remedy: NotRequired[str]


class ChosenModel(TypedDict):
    # `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model.
    name: NotRequired[str | None]


class ModelTrial(TypedDict):
    """Trial reading of one session by the model; nothing is stored."""

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
    # Reason why a request got no reply.
    problem: NotRequired[str]


class TrialFinding(TypedDict):
    type: MemoryType
    kind: str
    title: str
    body: str
    quotes: list[str]


class SettingsForm(TypedDict):
    """All settings with everything that a form needs."""

    # Sorted by key.
    settings: list[SettingRow]
    # Sentences about settings in files and variables that are ignored.
    ignored: list[str]


class SettingRow(TypedDict):
    key: str
    help: str
    # `built-in`, a file, or a variable; empty if nothing is set.
    origin: str
    # Allowed values; empty for any.
    choices: list[str]
    # [`set_plain`] can change it.
    plain: bool
    # Absent if nothing is set.
    value: NotRequired[Any]


class NewSetting(TypedDict):
    key: str
    # A number, a boolean, or one of the setting's allowed words.
    value: Any


class SettingWritten(TypedDict):
    # The file that now contains it.
    file: str
    # The value as TOML.
    value: str


class BriefList(TypedDict):
    # Newest first, each with the reason for every line.
    briefs: list[GivenBrief]


class GivenBrief(TypedDict):
    """A brief that an agent got, and the reason for each line."""

    # Milliseconds since 1970.
    at_ms: int
    # Directory where it started, relative to the project; empty for its root.
    directory: str
    # Number of files that the branch changed.
    changed: int
    # Open ends of the last session.
    open: list[str]
    lines: list[BriefLine]
    left_out: LeftOut
    tokens: int
    # The whole brief.
    text: str
    # The agent's id of the session.
    session: NotRequired[str]
    agent: NotRequired[str]
    branch: NotRequired[str]
    # The default branch that changed files are relative to.
    base: NotRequired[str]


class BriefLine(TypedDict):
    """A memory in a brief."""

    id: str
    text: str
    # Reason why it is in the brief.
    reason: str


class LeftOut(TypedDict):
    """Number of memories that were left out."""

    # Important enough, but did not fit.
    space: int
    # Too weak or faded.
    weak: int
    # Supported by a tool only, stale, or superseded.
    doubtful: int


class RunList(TypedDict):
    # Newest first.
    runs: list[RunRow]


class RunDetail(TypedDict):
    run_id: str
    # `sync`, `hot`, `cold`, `maintain`, `run`.
    mode: str
    project: str
    state: TaskState
    started_ms: int
    # Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
    counts: dict[str, Any]
    # Folder of its artifacts on this machine.
    folder: str
    # Durations of its steps, in order; empty if they were not recorded.
    steps: list[StepTime]
    # Lines of `agent.log`.
    log: list[str]
    # Lines of `subagents.log`.
    findings: list[Any]
    # Contents of `extract.json`.
    candidates: list[Any]
    # Names of the files in its folder.
    artifacts: list[str]
    agent: NotRequired[str]
    session_id: NotRequired[str]
    finished_ms: NotRequired[int]
    error: NotRequired[str]
    # Contents of `memory_actions.json` or `maintain_actions.json`; absent if there is none.
    report: NotRequired[Any]


class StepTime(TypedDict):
    step: str
    started_ms: int
    # Absent while it is running.
    ended_ms: NotRequired[int]


class QueueList(TypedDict):
    # In the order in which they are claimed.
    jobs: list[QueueJob]


class QueueJob(TypedDict):
    id: str
    agent: str
    session_id: str
    project: str
    # Reason why it was enqueued: `sync`, `hot`, `cold`.
    mode: str
    state: TaskState
    # Dead letter: not tried again until a person asks for it.
    dead: bool
    # Number of attempts, including the running one.
    attempt: int
    created_ms: int
    # Earliest time of the next attempt.
    not_before_ms: NotRequired[int]
    started_ms: NotRequired[int]
    finished_ms: NotRequired[int]
    # Reason why the last attempt failed, or why the job was cancelled.
    cause: NotRequired[str]
    # Id of its last run.
    run_id: NotRequired[str]


class QueueChanged(TypedDict):
    id: str
    changed: bool
    message: str


class SessionPage(TypedDict):
    # Newest first.
    items: list[SessionRow]
    total: int


class SessionRow(TypedDict):
    agent: str
    id: str
    state: SessionState
    # Location of the session's text.
    copy: SessionCopy
    bytes: int
    title: NotRequired[str]
    # Absent if it is known to have none.
    project: NotRequired[str]
    updated_ms: NotRequired[int]
    revision: NotRequired[str]


# Location of a session's text.
SessionCopy = Literal["agent_only", "archived", "rescued", "prompts_only", "lost"]


class SessionsFound(TypedDict):
    # Hits of the best session first.
    hits: list[SessionHit]
    # Number of sessions that were searched.
    searched: int
    # Number of sessions that are not indexed yet.
    left: int
    # Number of sessions that could not be read.
    unreadable: int


class SessionHit(TypedDict):
    """A passage that was found."""

    agent: str
    session_id: str
    event_id: str
    role: str
    # The words with some around them, on one line.
    snippet: str
    title: NotRequired[str]
    at_ms: NotRequired[int]
    tool: NotRequired[str]
    # The characters of the snippet that were looked for, from and to.
    marks: NotRequired[list[tuple[int, int]]]


class SessionDetail(TypedDict):
    agent: str
    id: str
    state: SessionState
    # Location of the session's text.
    copy: SessionCopy
    bytes: int
    # Memories that it contributed to.
    memories: list[SessionMemory]
    # Newest first.
    runs: list[RunRow]
    title: NotRequired[str]
    # Absent if it is known to have none.
    project: NotRequired[str]
    updated_ms: NotRequired[int]
    revision: NotRequired[str]


class SessionMemory(TypedDict):
    id: str
    title: str
    type: MemoryType
    # Empty if the type has no kinds.
    kind: str
    # Ids of the events that it quotes.
    events: list[str]


class EventPage(TypedDict):
    events: list[SessionEvent]
    total: int
    # Number of events before the first one of this page.
    offset: int


class SessionEvent(TypedDict):
    id: str
    # `user`, `assistant`, `tool` or `system`.
    role: str
    # `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`.
    kind: str
    text: str
    attrs: dict[str, Any]
    # The text was cut.
    truncated: bool
    at_ms: NotRequired[int]


class ContextRequest(TypedDict):
    project_root: str
    # Default: `compact`.
    detail: NotRequired[ContextDetail | None]
    # Scan every file again first.
    refresh: NotRequired[bool]
    # The task that the context is for.
    query: NotRequired[str | None]
    # Maximum number of tokens of the answer.
    budget: NotRequired[int | None]
    # A git revision. Default: the last exploration. Only used by `delta`.
    since: NotRequired[str | None]


ContextDetail = Literal["compact", "normal", "verbose"]


class AcretaError(Exception):
    """A failed call and its reason."""

    def __init__(self, status: int, problem: Problem, request_id: str) -> None:
        super().__init__(problem["message"])
        self.status = status
        self.code: str = problem["code"]
        self.message: str = problem["message"]
        self.causes: list[str] = problem["causes"]
        self.hints: list[str] = problem["hints"]
        self.request_id = request_id


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token must reach no other server."""

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
        """Health check of the server"""
        return cast(Health, self._call("GET", "/api/health", {}))

    def status(
        self,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
    ) -> StatusView:
        """Status of the daemon"""
        return cast(StatusView, self._call("GET", "/api/status", {"project_root": project_root, "all_projects": all_projects}))

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
        all_projects: bool | None = None,
        since: int | None = None,
    ) -> Home:
        """Home page: what was learnt, what needs a person, sessions about to be deleted, spending"""
        return cast(Home, self._call("GET", "/api/home", {"project_root": project_root, "all_projects": all_projects, "since": since}))

    def timeline(
        self,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
        kind: TimelineKind | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> Timeline:
        """Sessions, decisions and changes of mind of a project, newest first"""
        return cast(Timeline, self._call("GET", "/api/timeline", {"project_root": project_root, "all_projects": all_projects, "kind": kind, "offset": offset, "limit": limit}))

    def events(
        self,
        *,
        project_root: str | None = None,
        last_event_id: str | None = None,
    ) -> Iterator[LiveEvent]:
        """Live events as server-sent events; the data of each is one object"""
        return self._events("/api/events", {"project_root": project_root}, last_event_id)

    def login_code(
        self,
    ) -> LoginUrl:
        """Create a one-time login URL for a browser"""
        return cast(LoginUrl, self._call("POST", "/api/login/code", {}))

    def login_codes(
        self,
    ) -> LoginCodes:
        """Login codes that were not used yet"""
        return cast(LoginCodes, self._call("GET", "/api/login/codes", {}))

    def login(
        self,
        *,
        code: str,
    ) -> BrowserToken:
        """Exchange a login code for a token"""
        return cast(BrowserToken, self._call("POST", "/api/login", {"code": code}))

    def logout(
        self,
    ) -> NoBody:
        """Log the calling browser out"""
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
        """Start a sync: learn from new sessions"""
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
        """The last jobs of this server, newest first"""
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
        """Cancel a job; a running one stops at its next step"""
        return cast(JobView, self._call("POST", f"/api/jobs/{_quoted(id)}/cancel", {}))

    def list_memories(
        self,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
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
        return cast(MemoryPage, self._call("GET", "/api/memories", {"project_root": project_root, "all_projects": all_projects, "type": type, "kind": kind, "tag": tag, "trust": trust, "status": status, "stale": stale, "scope": scope, "text": text, "sort": sort, "facets": facets, "offset": offset, "limit": limit}))

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
        """Add a person's note"""
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
        """Edit a memory that has not changed since it was read"""
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
        """Confirm a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/confirm", {"project_root": project_root}))

    def reject_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Reject a memory as wrong"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/reject", {"project_root": project_root}))

    def archive_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Archive a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/archive", {"project_root": project_root}))

    def restore_memory(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Restore a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/restore", {"project_root": project_root}))

    def accept_proposal(
        self,
        id: str,
        *,
        project_root: str | None = None,
    ) -> MemoryChanged:
        """Accept the first proposal for a memory"""
        return cast(MemoryChanged, self._call("POST", f"/api/memories/{_quoted(id)}/accept", {"project_root": project_root}))

    def list_review(
        self,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
    ) -> ReviewQueue:
        """Everything that waits for a person"""
        return cast(ReviewQueue, self._call("GET", "/api/review", {"project_root": project_root, "all_projects": all_projects}))

    def decide_review(
        self,
        *,
        decisions: list[ReviewChoice],
        dry_run: bool | None = None,
        project_root: str | None = None,
        all_projects: bool | None = None,
    ) -> ReviewReport:
        """Decide on items, or preview decisions"""
        return cast(ReviewReport, self._call("POST", "/api/review", {"decisions": decisions, "dry_run": dry_run, "project_root": project_root, "all_projects": all_projects}))

    def get_review_item(
        self,
        id: str,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
    ) -> ReviewDetail:
        """One item with its evidence and the effect of each action"""
        return cast(ReviewDetail, self._call("GET", f"/api/review/{_quoted(id)}", {"project_root": project_root, "all_projects": all_projects}))

    def undo_review(
        self,
        *,
        project_root: str | None = None,
        all_projects: bool | None = None,
    ) -> ReviewUndone:
        """Undo the latest decisions"""
        return cast(ReviewUndone, self._call("POST", "/api/review/undo", {"project_root": project_root, "all_projects": all_projects}))

    def search(
        self,
        *,
        q: str,
        project_root: str | None = None,
        all_projects: bool | None = None,
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
        return cast(SearchPage, self._call("GET", "/api/search", {"q": q, "project_root": project_root, "all_projects": all_projects, "type": type, "kind": kind, "tag": tag, "agent": agent, "trust": trust, "status": status, "since": since, "scope": scope, "limit": limit, "offset": offset}))

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
        """Start reading an agent's sessions"""
        return cast(Connection, self._call("POST", "/api/connect", {"agent": agent, "root": root}))

    def disconnect(
        self,
        agent: str,
    ) -> Removed:
        """Stop reading an agent's sessions"""
        return cast(Removed, self._call("POST", f"/api/connect/{_quoted(agent)}/remove", {}))

    def list_projects(
        self,
    ) -> list[ProjectRow]:
        """Known projects"""
        return cast(list[ProjectRow], self._call("GET", "/api/project/list", {}))

    def add_project(
        self,
        *,
        path: str,
        former: str | None = None,
    ) -> ProjectAdded:
        """Register a project"""
        return cast(ProjectAdded, self._call("POST", "/api/project/add", {"path": path, "former": former}))

    def remove_project(
        self,
        *,
        path: str,
    ) -> ProjectChanged:
        """Unregister a project"""
        return cast(ProjectChanged, self._call("POST", "/api/project/remove", {"path": path}))

    def trust_project(
        self,
        *,
        path: str,
        trusted: bool,
    ) -> ProjectChanged:
        """Trust a project's settings, or revoke that"""
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
        """Stop reading sessions of a folder"""
        return cast(Exclusions, self._call("POST", "/api/exclude", {"folder": folder}))

    def include(
        self,
        *,
        folder: str,
    ) -> Exclusions:
        """Resume reading sessions of a folder"""
        return cast(Exclusions, self._call("POST", "/api/exclude/remove", {"folder": folder}))

    def list_plugins(
        self,
    ) -> list[PluginRow]:
        """Plugins with their grants, limits and use"""
        return cast(list[PluginRow], self._call("GET", "/api/plugins", {}))

    def get_model(
        self,
    ) -> ModelView:
        """The model that reads sessions, available models, and the spending of today"""
        return cast(ModelView, self._call("GET", "/api/model", {}))

    def choose_model(
        self,
        *,
        name: str | None = None,
    ) -> ModelView:
        """Choose the model that reads sessions, or none"""
        return cast(ModelView, self._call("POST", "/api/model", {"name": name}))

    def test_model(
        self,
    ) -> ModelTrial:
        """Try the model on one session, without storing anything"""
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
        """Change a setting that is a number, a boolean or one of several words"""
        return cast(SettingWritten, self._call("POST", "/api/settings", {"key": key, "value": value}))

    def list_briefs(
        self,
        *,
        project_root: str | None = None,
        session: str | None = None,
        limit: int | None = None,
    ) -> BriefList:
        """Briefs that agents got in a project, newest first, with the reason for each line"""
        return cast(BriefList, self._call("GET", "/api/briefs", {"project_root": project_root, "session": session, "limit": limit}))

    def list_runs(
        self,
        *,
        project_root: str | None = None,
        state: TaskState | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> RunList:
        """Runs, newest first"""
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
        """Retry a job now"""
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
        """Find something in conversations"""
        return cast(SessionsFound, self._call("GET", "/api/sessions/search", {"q": q, "project_root": project_root, "agent": agent, "limit": limit}))

    def get_session(
        self,
        agent: str,
        id: str,
    ) -> SessionDetail:
        """One session with its runs and memories"""
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
        """Explore a codebase"""
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
        """Changes in a codebase"""
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
        """Files to read for a task"""
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
        """Explore a codebase again and read every file"""
        return cast(dict[str, Any], self._call("POST", "/v1/refresh", {"project_root": project_root, "detail": detail, "refresh": refresh, "query": query, "budget": budget, "since": since}))
