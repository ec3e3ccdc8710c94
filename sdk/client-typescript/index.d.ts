// A client of acreta's HTTP API. Generated from docs/openapi.json; needs nothing but `fetch`.
//
//   import { Client } from "acreta-client";
//   const client = new Client(token);
//   const { hits } = await client.search({ q: "queue" });

/** The only information that needs no token. */
export interface Health {
  /** `ok`. */
  status: string;
  version: string;
}

/** Body of every answer that is not a success. */
export interface ProblemBody {
  error: Problem;
  request_id: string;
}

export interface Problem {
  code: ProblemCode;
  message: string;
  /** Causes, nearest first. */
  causes: Array<string>;
  /** Possible remedies. */
  hints: Array<string>;
}

/** Error code for programs. */
export type ProblemCode = "project-not-registered" | "not-found" | "method-not-allowed" | "too-large" | "wrong-content-type" | "failed" | "malformed" | "invalid" | "unauthorised" | "wrong-code" | "wrong-host" | "wrong-origin" | "refused" | "changed-meanwhile" | "too-slow" | "busy" | "timed-out";

export interface StatusView {
  version: string;
  started_ms: number;
  /** Number of registered projects. */
  projects: number;
  sessions: Array<SessionTotals>;
  queue: QueueTotals;
  memories: MemoryTotals;
  /** Items that wait for review in the requested projects. */
  review: ReviewCounts;
  schedule: ScheduleView;
}

export interface SessionTotals {
  agent: string;
  state: SessionState;
  sessions: number;
}

/** State of a session. */
export type SessionState = "queued" | "done" | "waiting" | "new" | "cancelled" | "failed";

export interface QueueTotals {
  queued: number;
  running: number;
  /** Failed, and to be retried later. */
  failed: number;
  /** Failed permanently, until a person retries it. */
  dead: number;
  oldest_queued_ms?: number;
}

export interface MemoryTotals {
  active: number;
  archived: number;
  untrusted: number;
  stale: number;
}

export interface ReviewCounts {
  total: number;
  /** Pairs of memories that contradict each other. */
  conflicts: number;
  proposals: number;
  pending: number;
  untrusted: number;
}

export interface ScheduleView {
  sync: ScheduleLine;
  maintain: ScheduleLine;
}

export interface ScheduleLine {
  running: boolean;
  /** Absent if it is switched off. */
  every_seconds?: number;
  /** Time when the last one ended. */
  last_ms?: number;
  next_ms?: number;
}

export interface Overview {
  memories: MemoryCounts;
  /** Oldest day first. */
  growth: Array<GrowthDay>;
  /** Number of memories by effective confidence, from lowest to highest. */
  decay: Array<DecayBar>;
  sessions: Array<SessionDay>;
  runs: RunCounts;
  cost: Cost;
  /** Sessions that were read without the configured model and wait for it, one entry per reason. */
  waiting_for_model: Array<WaitingForModel>;
  denied: Array<DeniedRow>;
}

export interface MemoryCounts {
  by_type: Array<TypeCount>;
  by_trust: Array<TrustCount>;
  active: number;
  archived: number;
  stale: number;
}

export interface TypeCount {
  type: MemoryType;
  memories: number;
}

export type MemoryType = "decision" | "learning" | "summary";

export interface TrustCount {
  trust: Trust;
  memories: number;
}

/** Trust level of a memory. */
export type Trust = "untrusted" | "grounded" | "reviewed" | "confirmed";

export interface GrowthDay {
  day: string;
  added: number;
  archived: number;
  /** Number at the end of the day. */
  active: number;
}

export interface DecayBar {
  /** Lower bound of the confidence, inclusive. */
  from: number;
  /** Upper bound of the confidence, exclusive; inclusive for the last bar. */
  to: number;
  memories: number;
}

export interface SessionDay {
  day: string;
  agent: string;
  sessions: number;
}

export interface RunCounts {
  completed: number;
  failed: number;
  /** Newest first. */
  recent: Array<RunRow>;
}

export interface RunRow {
  run_id: string;
  /** `sync`, `hot`, `cold`, `maintain`, `run`. */
  mode: string;
  project: string;
  state: TaskState;
  started_ms: number;
  /** Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance. */
  counts: Record<string, unknown>;
  agent?: string;
  session_id?: string;
  finished_ms?: number;
  error?: string;
}

/** State of a job or a run. */
export type TaskState = "accepted" | "queued" | "running" | "completed" | "failed" | "cancelled";

export interface Cost {
  days: Array<CostDay>;
  total: CostTotal;
}

export interface CostDay {
  day: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  /** Absent if the prices are unknown. */
  dollars?: number;
}

export interface CostTotal {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  dollars?: number;
}

/** Sessions that wait for a model for the same reason. */
export interface WaitingForModel {
  sessions: number;
  /** Reason, and time of the next attempt. */
  message: string;
}

/** Something that a plugin tried and was denied. */
export interface DeniedRow {
  plugin: string;
  operation: string;
  path: string;
  count: number;
  run_id: string;
}

export interface Home {
  learnt: Learnt;
  /** Number of jobs that failed permanently. */
  dead_letters: number;
  /** Reasons why sessions wait for a model, one sentence each. */
  waiting_for_model: Array<string>;
  leaving: Leaving;
  memories: HomeCounts;
  /** Absent if no model is used. */
  spend?: SpendToday;
}

/** Memories that runs added or changed since a time. */
export interface Learnt {
  since_ms: number;
  /** Number of new or changed memories, without summaries. */
  total: number;
  /** Number of summaries of sessions. */
  summaries: number;
  /** Number of sessions that were read. */
  sessions: number;
  /** Decisions, conventions and pitfalls first. */
  memories: Array<LearntMemory>;
}

export interface LearntMemory {
  id: string;
  /** `project`, `global`, or the path of another project. */
  scope: string;
  type: MemoryType;
  /** Empty if the type has no kinds. */
  kind: string;
  title: string;
  trust: Trust;
  /** The memory existed before, and its text has changed. */
  changed: boolean;
  at_ms: number;
}

/** Sessions that their agents delete within a week. */
export interface Leaving {
  total: number;
  /** Number of sessions that are not archived yet: the next sync archives them. */
  not_archived: number;
  /** Next to be deleted first. */
  sessions: Array<LeavingSession>;
}

export interface LeavingSession {
  agent: string;
  id: string;
  /** Time of its last change. */
  updated_ms: number;
  /** Time from which its agent deletes it. */
  at_ms: number;
  archived: boolean;
  /** As its agent or its summary says. */
  title?: string;
  /** Path of its project, or of the folder that it recorded. */
  project?: string;
}

/** Spending of one day (UTC), of all projects together. */
export interface SpendToday {
  calls: number;
  tokens: number;
  dollars: number;
  /** By price lists, as far as programs report it; a plan is not billed. */
  list_dollars: number;
  calls_limit?: number;
  tokens_limit?: number;
  dollars_limit?: number;
}

export interface HomeCounts {
  /** Number of active memories, including summaries. */
  active: number;
  decisions: number;
  learnings: number;
  summaries: number;
  confirmed: number;
  /** Number of memories that name something that no longer exists. */
  stale: number;
}

export type TimelineKind = "session" | "decision" | "learning" | "change_of_mind" | "rejected";

export interface Timeline {
  /** Newest first. */
  entries: Array<TimelineEntry>;
  /** Number of entries of the requested kind. */
  total: number;
  counts: TimelineCounts;
}

export interface TimelineEntry {
  at_ms: number;
  kind: TimelineKind;
  title: string;
  /** For a change of mind: the replaced memories. */
  before: Array<FormerMemory>;
  /** For a session: number of memories based on it. */
  memories: number;
  /** `project`, `global`, or the path of another project. */
  scope: string;
  /** Id of the memory that it is about. */
  memory_id?: string;
  /** The kind of a learning, or the type of a memory without kinds. */
  memory_kind?: string;
  /** The agent whose session it is or comes from. */
  agent?: string;
  session_id?: string;
}

export interface FormerMemory {
  title: string;
  /** Absent for a text that is no longer a memory. */
  id?: string;
}

/** Number of entries of each kind. */
export interface TimelineCounts {
  sessions: number;
  decisions: number;
  learnings: number;
  changes_of_mind: number;
  rejected: number;
}

/** One event of `/api/events`. */
export interface LiveEvent {
  /** To be sent back as `Last-Event-ID`. */
  id: string;
  at_ms: number;
  /** `job` for jobs of this server, otherwise the service's kind. */
  kind: string;
  /** The new state of a job, otherwise the name of the event. */
  name: string;
  /** For a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one. */
  fields: Record<string, unknown>;
  run_id?: string;
  request_id?: string;
  project?: string;
}

/** The body of a call without parameters: `{}`. */
export type NoBody = Record<string, unknown>;

export interface LoginUrl {
  /** The code is in the fragment, so that it reaches no log. It works once, within half a minute. */
  url: string;
}

export interface LoginCodes {
  /** Number of login codes that were neither used nor expired. */
  waiting: number;
}

export interface LoginRequest {
  code: string;
}

export interface BrowserToken {
  /** For `Authorization: Bearer`; valid for a week, or until the server ends. */
  token: string;
}

/** Options of a sync, as for `acreta sync`. */
export interface SyncRequest {
  /** Only sessions of this agent. */
  agent?: string | null;
  /** Only sessions that changed since this time. */
  since?: string | null;
  /** Maximum number of sessions to run. */
  max_sessions?: number | null;
  /** Include sessions that were processed already. */
  force?: boolean;
  /** Change nothing; only report what would be done. */
  dry_run?: boolean;
}

export interface Accepted {
  job_id: string;
  /** `accepted`, or `queued` if an identical job was waiting already. */
  state: TaskState;
  /** Id of the request that created the job, which is an earlier one if an identical job was waiting already. */
  request_id: string;
}

/** Options of a maintenance, as for `acreta maintain`. */
export interface MaintainRequest {
  /** Default: all registered projects. */
  project_root?: string | null;
  /** Change nothing; only report what would be done. */
  dry_run?: boolean;
}

export interface JobList {
  /** Newest first. */
  jobs: Array<JobView>;
}

export interface JobView {
  id: string;
  kind: JobKind;
  state: TaskState;
  created_ms: number;
  /** Id of the request that created the job; a new id if the schedule created it. */
  request_id: string;
  started_ms?: number;
  finished_ms?: number;
  progress?: JobProgress;
  /** The output of `sync --json` or `maintain --json`. */
  result?: unknown;
  error?: Problem;
}

export type JobKind = "sync" | "maintain";

/** Progress of a job. */
export interface JobProgress {
  done: number;
  /** Description of the current step, for a person. */
  message: string;
  /** Absent while unknown. */
  total?: number;
}

export type Status = "active" | "archived" | "superseded";

/** The memory to list. */
export type ListScope = "project" | "global" | "all";

export type MemorySort = "updated" | "created" | "title" | "confidence" | "rank";

export interface MemoryPage {
  items: Array<MemoryRow>;
  /** Number of memories that match the filters. */
  total: number;
  offset: number;
  limit: number;
  facets?: MemoryFacets;
}

export interface MemoryRow {
  id: string;
  /** `project`, `global`, or the path of another project. */
  scope: string;
  type: MemoryType;
  /** Empty if the type has no kinds. */
  kind: string;
  title: string;
  tags: Array<string>;
  trust: Trust;
  status: Status;
  stale: boolean;
  /** From 0 to 1, at the time of the last evidence. */
  confidence: number;
  /** From 0 to 1, reduced by age and raised by use. */
  effective_confidence: number;
  /** Days, `2026-01-31`. */
  created: string;
  updated: string;
  /** `<agent>/<session id>`, `person`, or `import/<file>`. */
  source: string;
  /** Relative to the memory root. */
  path: string;
  /** Number of proposals that wait for a person. */
  open_proposals: number;
}

/** Number of memories that would match if one more filter were set. */
export interface MemoryFacets {
  types: Array<FacetCount>;
  kinds: Array<FacetCount>;
  trusts: Array<FacetCount>;
  statuses: Array<FacetCount>;
  /** The most frequent ones. */
  tags: Array<FacetCount>;
  stale: number;
}

export interface FacetCount {
  value: string;
  memories: number;
}

export interface MemoryDetail {
  id: string;
  /** `project`, `global`, or the path of another project. */
  scope: string;
  type: MemoryType;
  /** Empty if the type has no kinds. */
  kind: string;
  title: string;
  tags: Array<string>;
  trust: Trust;
  status: Status;
  stale: boolean;
  /** From 0 to 1, at the time of the last evidence. */
  confidence: number;
  /** From 0 to 1, reduced by age and raised by use. */
  effective_confidence: number;
  /** Days, `2026-01-31`. */
  created: string;
  updated: string;
  /** `<agent>/<session id>`, `person`, or `import/<file>`. */
  source: string;
  /** Relative to the memory root. */
  path: string;
  /** Number of proposals that wait for a person. */
  open_proposals: number;
  /** Markdown. */
  body: string;
  /** Digest of the file; an edit has to name it. */
  digest: string;
  related: Array<Link>;
  /** Earlier memories; earlier texts of this memory are titles without an id. */
  supersedes: Array<Link>;
  evidence: Array<EvidenceQuote>;
  proposals: Array<MemoryProposal>;
  /** Files and symbols that it names and that no longer exist. */
  missing: Array<string>;
  superseded_by?: Link;
  /** Day of the last comparison with the repository. */
  last_verified?: string;
  /** Who brought it by git, and with which commit, if that was somebody else. */
  origin?: string;
}

export interface Link {
  title: string;
  /** Absent if it is not a memory, or no longer one. */
  id?: string;
}

/** A word-for-word quote and its place. */
export interface EvidenceQuote {
  agent: string;
  session_id: string;
  run_id: string;
  /** `user`, `assistant` or `tool`. */
  role: string;
  quote: string;
  event_id: string;
  at_ms?: number;
}

/** A proposed change that waits for a person. */
export interface MemoryProposal {
  run_id: string;
  operation: ProposedOperation;
  title: string;
  body: string;
  kind: string;
  tags: Array<string>;
  confidence: number;
  reason: string;
}

export type ProposedOperation = "update" | "archive";

export interface MemoryProvenance {
  /** Newest first. */
  evidence: Array<ReviewEvidence>;
  /** Total number of quotes; `evidence` has the newest of them. */
  quotes: number;
  /** Its texts, newest first. */
  versions: Array<MemoryVersion>;
  used: MemoryUse;
}

/** A word-for-word quote with its context. */
export interface ReviewEvidence {
  agent: string;
  /** Empty if it is not from a session. */
  session_id: string;
  event_id: string;
  /** `user`, `assistant` or `tool`. */
  role: string;
  quote: string;
  /** The conversation around the quote, in order; empty if it is not available. */
  turns: Array<Turn>;
  at_ms?: number;
}

/** One turn of a conversation. */
export interface Turn {
  event_id: string;
  role: string;
  text: string;
  /** The turn contains the quote. */
  quoted: boolean;
  at_ms?: number;
}

/** A text of the memory, as given by a session or a person. */
export interface MemoryVersion {
  at_ms: number;
  /** `person`, `import` or the agent whose session said it. */
  agent: string;
  /** Empty if it is not from a session. */
  session_id: string;
  title: string;
  /** Differences to the previous text: lines with `+`, `-` or a blank. Empty for the first text. */
  diff: string;
}

/** Number of times agents got a memory within the last half year, and the outcome. */
export interface MemoryUse {
  /** Number of briefs with it at the start of a session, among those that are stored. */
  briefs: number;
  /** Number of sessions that were offered it at any moment. */
  offered: number;
  used: number;
  dismissed: number;
}

/** A new memory, written by a person. */
export interface MemoryNote {
  title: string;
  body: string;
  /** Default: inferred from the text. */
  type?: MemoryType | null;
  kind?: string | null;
  tags?: Array<string>;
  /** Default: `project`. */
  scope?: WriteScope | null;
  project_root?: string | null;
}

/** The scope of a new memory. */
export type WriteScope = "project" | "global";

/** Result of adding a note. */
export interface MemoryAdded {
  /** `add`, `update`, `no_op`, or `pending`: it waits for a person. */
  action: string;
  message: string;
  /** The memory that now holds it, or the pending record. */
  id?: string;
  /** Relative to the memory root. */
  path?: string;
}

/** The fields to change. At least one of title, body, tags and kind. */
export interface MemoryEdit {
  /** Digest of the version that was read. */
  expected_digest: string;
  title?: string | null;
  body?: string | null;
  tags?: Array<string> | null;
  kind?: string | null;
  project_root?: string | null;
}

export interface MemoryChanged {
  id: string;
  path: string;
  changed: boolean;
  message: string;
}

/** The project of a request. Default: the server's own. */
export interface InProject {
  project_root?: string | null;
}

/** All waiting items, most urgent first. */
export interface ReviewQueue {
  waiting: ReviewCounts;
  items: Array<ReviewItem>;
  /** The decisions that undo would revert. */
  last: Array<PastDecision>;
}

/** One item that waits for a person. */
export interface ReviewItem {
  id: string;
  kind: ReviewKind;
  /** `project`, `global`, or the path of another project. */
  scope: string;
  title: string;
  /** The memories of the item; for a conflict, the newer first. */
  memories: Array<ReviewMemory>;
  /** Reason why it waits. */
  why: string;
  actions: Array<OfferedAction>;
  /** Time of its newest evidence. */
  at_ms?: number;
}

export type ReviewKind = "conflict" | "proposal" | "pending" | "untrusted";

/** A text of an item: a memory, or a possible one. */
export interface ReviewMemory {
  /** The kind of a learning, or the type of a memory without kinds. */
  kind: string;
  title: string;
  /** Markdown, without the heading that repeats the title. */
  body: string;
  tags: Array<string>;
  trust: string;
  /** Absent if it is not a memory yet. */
  id?: string;
}

/** An action that an item allows, and its meaning there. */
export interface OfferedAction {
  action: ReviewAction;
  /** For people: `keep both`. */
  label: string;
  /** It needs the id of the memory that remains. */
  needs_keep: boolean;
}

export type ReviewAction = "accept" | "edit" | "reject" | "merge" | "supersede";

/** A decision that can be undone, or was. */
export interface PastDecision {
  id: string;
  action: string;
  title: string;
  at_ms: number;
}

/** One item with everything needed for a decision. */
export interface ReviewDetail {
  item: ReviewItem;
  evidence: Array<ReviewEvidence>;
  /** Effects of the actions that need no further input. */
  effects: Array<ActionEffect>;
  /** Similar memories with which it could be merged. */
  alike: Array<AlikeMemory>;
}

/** The effect of a decision on memory, computed before it is made. */
export interface ActionEffect {
  action: ReviewAction;
  /** Sentences for people. */
  summary: Array<string>;
  files: Array<FileDiff>;
  /** Reason why it cannot be done. */
  problem?: string;
}

export interface FileDiff {
  /** New path, relative to the memory root. */
  path: string;
  /** Lines of the readable text, each after `+`, `-` or a space; empty if it does not change. */
  diff: string;
}

export interface AlikeMemory {
  id: string;
  title: string;
}

/** Decisions, applied in order. */
export interface ReviewRequest {
  decisions: Array<ReviewChoice>;
  /** Only report what each decision would do on its own. */
  dry_run?: boolean;
  project_root?: string | null;
  /** All registered projects, and the global memory. */
  all_projects?: boolean;
}

/** A decision on one item. */
export interface ReviewChoice {
  /** The item's id. */
  id: string;
  action: ReviewAction;
  /** The memory that remains. Default for a conflict: the newer one. */
  keep?: string;
  /** The reviewer's own wording, for an edit. */
  title?: string;
  body?: string;
}

/** Result of decisions. */
export interface ReviewReport {
  decisions: Array<DecisionReport>;
  waiting: ReviewCounts;
  /** Nothing was changed: these are the effects that the decisions would have. */
  dry_run: boolean;
}

export interface DecisionReport {
  id: string;
  title: string;
  message: string;
  effect: ActionEffect;
}

/** The projects of a request. Default: the server's own. */
export interface InProjects {
  project_root?: string | null;
  /** All registered projects, and the global memory. */
  all_projects?: boolean;
}

/** Result of undo. */
export interface ReviewUndone {
  /** Last decision first. */
  undone: Array<PastDecision>;
  waiting: ReviewCounts;
}

export type SearchScope = "project_fallback_global" | "project_only" | "global_only";

export interface SearchPage {
  query: string;
  /** Best hits first. */
  hits: Array<SearchHit>;
  /** More hits follow. */
  more: boolean;
}

export interface SearchHit {
  id: string;
  scope: string;
  type: MemoryType;
  kind: string;
  title: string;
  path: string;
  trust: Trust;
  status: Status;
  score: number;
  snippet: string;
  /** Byte ranges of the snippet that match the query, as start and end. */
  marks: Array<[number, number]>;
}

export interface AskRequest {
  question: string;
  project_root?: string | null;
}

export interface AskAnswer {
  question: string;
  /** False if memory does not surely answer the question. */
  answered: boolean;
  /** One or two passages of memory, or sentences of a model with a source each; empty if the question is not answered. */
  answer: string;
  sources: Array<AskSource>;
  /** The nearest memories, if the question is not answered. */
  nearest: Array<AskSource>;
  /** `passages` or `model`. */
  by: string;
}

export interface AskSource {
  /** Number by which the answer refers to it. */
  number: number;
  id: string;
  scope: string;
  title: string;
  path: string;
  trust: Trust;
  /** Sentences of it that perhaps answer; empty if none is near, or if a model answered. */
  passage: string;
  /** How sure it is that they answer, in percent; 0 if a model answered. */
  sure: number;
}

export interface Connection {
  agent: string;
  /** The plugin that reads its sessions. */
  adapter: string;
  granted: boolean;
  roots: Array<string>;
  sessions: number;
  /** Absent if the agent does not delete its sessions. */
  deletes_after_days?: number;
}

export interface NewConnection {
  agent: string;
  /** A folder of sessions. Default: where the agent usually stores them. */
  root?: string | null;
}

export interface Removed {
  agent: string;
  changed: boolean;
  message: string;
}

/** A project, or a folder whose sessions wait. */
export interface ProjectRow {
  path: string;
  registered: boolean;
  /** False if the folder is gone, or on another machine. */
  exists: boolean;
  sessions: number;
  memories: number;
  /** The project's own settings apply. */
  trusted: boolean;
  /** The project used by requests that name none. */
  current: boolean;
}

export interface NewProject {
  path: string;
  /** Path that it had before it moved: its sessions from there become memory, too. */
  former?: string | null;
}

export interface ProjectAdded {
  /** Path as registered: the main checkout. */
  path: string;
  changed: boolean;
  message: string;
}

export interface KnownProject {
  path: string;
}

export interface ProjectChanged {
  path: string;
  changed: boolean;
  message: string;
}

/** Trust in a project's own settings. */
export interface ProjectTrust {
  path: string;
  trusted: boolean;
}

/** Folders whose sessions are not read, for every agent. */
export interface ExcludedFolders {
  folders: Array<string>;
}

export interface ExcludedFolder {
  folder: string;
}

/** Result of a change of the excluded folders. */
export interface Exclusions {
  /** The named folder, as stored. */
  folder: string;
  /** All excluded folders. */
  excluded: Array<string>;
  /** Number of the folder's sessions that were archived before. They stay. */
  archived: number;
}

export interface PluginRow {
  id: string;
  /** `adapter`, `extractor`, `explorer` or `memory-writer`. */
  role: string;
  /** `built-in`, or the path of the component. */
  origin: string;
  /** The interface it was built for, `acreta:adapter@0.1.0`. */
  wit: string;
  /** SHA-256 of the component. */
  digest: string;
  bytes: number;
  grants: Array<PluginGrant>;
  limits: Record<string, unknown>;
  use: PluginUse;
}

/** A folder that the plugin asks to read. */
export interface PluginGrant {
  root: string;
  /** Possible paths on this machine. */
  candidates: Array<string>;
  reason: string;
  granted: boolean;
}

export interface PluginUse {
  runs: number;
  calls: number;
  guest_ms: number;
  peak_memory_bytes: number;
  failures: number;
  denied: number;
}

export interface ModelView {
  /** Everything on this machine that could read sessions. */
  found: Array<ModelChoice>;
  spend: SpendToday;
  /** Providers that accept no calls at present, one sentence each. */
  blocked: Array<string>;
  /** `PROVIDER` or `PROVIDER/MODEL`; absent if no model is used. */
  current?: string;
}

/** A model or program that could read sessions. */
export interface ModelChoice {
  /** Name that `choose_model` accepts. */
  name: string;
  label: string;
  /** `plan`, `local` or `api-key`. */
  access: string;
  /** `ready`, `logged-out` or `unknown`. */
  readiness: string;
  /** Destination of the text of sessions. */
  destination: string;
  /** The command that makes it ready. */
  remedy?: string;
}

export interface ChosenModel {
  /** `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model. */
  name?: string | null;
}

/** Trial reading of one session by the model; nothing is stored. */
export interface ModelTrial {
  reader: string;
  agent: string;
  session_id: string;
  events: number;
  found: Array<TrialFinding>;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  total_ms: number;
  cost_dollars?: number;
  /** Reason why a request got no reply. */
  problem?: string;
}

export interface TrialFinding {
  type: MemoryType;
  kind: string;
  title: string;
  body: string;
  quotes: Array<string>;
}

/** All settings with everything that a form needs. */
export interface SettingsForm {
  /** Sorted by key. */
  settings: Array<SettingRow>;
  /** Sentences about settings in files and variables that are ignored. */
  ignored: Array<string>;
}

export interface SettingRow {
  key: string;
  help: string;
  /** `built-in`, a file, or a variable; empty if nothing is set. */
  origin: string;
  /** Allowed values; empty for any. */
  choices: Array<string>;
  /** [`set_plain`] can change it. */
  plain: boolean;
  /** Absent if nothing is set. */
  value?: unknown;
}

export interface NewSetting {
  key: string;
  /** A number, a boolean, or one of the setting's allowed words. */
  value: unknown;
}

export interface SettingWritten {
  /** The file that now contains it. */
  file: string;
  /** The value as TOML. */
  value: string;
}

export interface BriefList {
  /** Newest first, each with the reason for every line. */
  briefs: Array<GivenBrief>;
}

/** A brief that an agent got, and the reason for each line. */
export interface GivenBrief {
  /** Milliseconds since 1970. */
  at_ms: number;
  /** Directory where it started, relative to the project; empty for its root. */
  directory: string;
  /** Number of files that the branch changed. */
  changed: number;
  /** Open ends of the last session. */
  open: Array<string>;
  lines: Array<BriefLine>;
  left_out: LeftOut;
  tokens: number;
  /** The whole brief. */
  text: string;
  /** The agent's id of the session. */
  session?: string;
  agent?: string;
  branch?: string;
  /** The default branch that changed files are relative to. */
  base?: string;
}

/** A memory in a brief. */
export interface BriefLine {
  id: string;
  text: string;
  /** Reason why it is in the brief. */
  reason: string;
}

/** Number of memories that were left out. */
export interface LeftOut {
  /** Important enough, but did not fit. */
  space: number;
  /** Too weak or faded. */
  weak: number;
  /** Supported by a tool only, stale, or superseded. */
  doubtful: number;
}

export interface RunList {
  /** Newest first. */
  runs: Array<RunRow>;
}

export interface RunDetail {
  run_id: string;
  /** `sync`, `hot`, `cold`, `maintain`, `run`. */
  mode: string;
  project: string;
  state: TaskState;
  started_ms: number;
  /** Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance. */
  counts: Record<string, unknown>;
  /** Folder of its artifacts on this machine. */
  folder: string;
  /** Durations of its steps, in order; empty if they were not recorded. */
  steps: Array<StepTime>;
  /** Lines of `agent.log`. */
  log: Array<string>;
  /** Lines of `subagents.log`. */
  findings: Array<unknown>;
  /** Contents of `extract.json`. */
  candidates: Array<unknown>;
  /** Names of the files in its folder. */
  artifacts: Array<string>;
  agent?: string;
  session_id?: string;
  finished_ms?: number;
  error?: string;
  /** Contents of `memory_actions.json` or `maintain_actions.json`; absent if there is none. */
  report?: unknown;
}

export interface StepTime {
  step: string;
  started_ms: number;
  /** Absent while it is running. */
  ended_ms?: number;
}

export interface QueueList {
  /** In the order in which they are claimed. */
  jobs: Array<QueueJob>;
}

export interface QueueJob {
  id: string;
  agent: string;
  session_id: string;
  project: string;
  /** Reason why it was enqueued: `sync`, `hot`, `cold`. */
  mode: string;
  state: TaskState;
  /** Dead letter: not tried again until a person asks for it. */
  dead: boolean;
  /** Number of attempts, including the running one. */
  attempt: number;
  created_ms: number;
  /** Earliest time of the next attempt. */
  not_before_ms?: number;
  started_ms?: number;
  finished_ms?: number;
  /** Reason why the last attempt failed, or why the job was cancelled. */
  cause?: string;
  /** Id of its last run. */
  run_id?: string;
}

export interface QueueChanged {
  id: string;
  changed: boolean;
  message: string;
}

export interface SessionPage {
  /** Newest first. */
  items: Array<SessionRow>;
  total: number;
}

export interface SessionRow {
  agent: string;
  id: string;
  state: SessionState;
  /** Location of the session's text. */
  copy: SessionCopy;
  bytes: number;
  title?: string;
  /** Absent if it is known to have none. */
  project?: string;
  updated_ms?: number;
  revision?: string;
}

/** Location of a session's text. */
export type SessionCopy = "agent_only" | "archived" | "rescued" | "prompts_only" | "lost";

export interface SessionsFound {
  /** Hits of the best session first. */
  hits: Array<SessionHit>;
  /** Number of sessions that were searched. */
  searched: number;
  /** Number of sessions that are not indexed yet. */
  left: number;
  /** Number of sessions that could not be read. */
  unreadable: number;
}

/** A passage that was found. */
export interface SessionHit {
  agent: string;
  session_id: string;
  event_id: string;
  role: string;
  /** The words with some around them, on one line. */
  snippet: string;
  title?: string;
  at_ms?: number;
  tool?: string;
  /** The characters of the snippet that were looked for, from and to. */
  marks?: Array<[number, number]>;
}

export interface SessionDetail {
  agent: string;
  id: string;
  state: SessionState;
  /** Location of the session's text. */
  copy: SessionCopy;
  bytes: number;
  /** Memories that it contributed to. */
  memories: Array<SessionMemory>;
  /** Newest first. */
  runs: Array<RunRow>;
  title?: string;
  /** Absent if it is known to have none. */
  project?: string;
  updated_ms?: number;
  revision?: string;
}

export interface SessionMemory {
  id: string;
  title: string;
  type: MemoryType;
  /** Empty if the type has no kinds. */
  kind: string;
  /** Ids of the events that it quotes. */
  events: Array<string>;
}

export interface EventPage {
  events: Array<SessionEvent>;
  total: number;
  /** Number of events before the first one of this page. */
  offset: number;
}

export interface SessionEvent {
  id: string;
  /** `user`, `assistant`, `tool` or `system`. */
  role: string;
  /** `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`. */
  kind: string;
  text: string;
  attrs: Record<string, unknown>;
  /** The text was cut. */
  truncated: boolean;
  at_ms?: number;
}

export interface ContextRequest {
  project_root: string;
  /** Default: `compact`. */
  detail?: ContextDetail | null;
  /** Scan every file again first. */
  refresh?: boolean;
  /** The task that the context is for. */
  query?: string | null;
  /** Maximum number of tokens of the answer. */
  budget?: number | null;
  /** A git revision. Default: the last exploration. Only used by `delta`. */
  since?: string | null;
}

export type ContextDetail = "compact" | "normal" | "verbose";

/** A failed call and its reason. */
export class AcretaError extends Error {
  readonly status: number;
  readonly problem: Problem;
  readonly requestId: string;

  constructor(status: number, problem: Problem, requestId: string);
}

/** Calls one server. Every method is one call; a failure throws AcretaError. */
export class Client {
  constructor(token: string, baseUrl?: string, requestId?: string);

  /** A client whose calls have this id in acreta's log: letters, digits and `._-`, at most 128. */
  withRequestId(requestId: string): Client;

  /** Health check of the server */
  health(): Promise<Health>;

  /** Status of the daemon */
  status(fields?: { project_root?: string; all_projects?: boolean }): Promise<StatusView>;

  /** This document */
  openapi(): Promise<unknown>;

  /** Figures for charts */
  overview(fields?: { project_root?: string }): Promise<Overview>;

  /** Home page: what was learnt, what needs a person, sessions about to be deleted, spending */
  home(fields?: { project_root?: string; all_projects?: boolean; since?: number }): Promise<Home>;

  /** Sessions, decisions and changes of mind of a project, newest first */
  timeline(fields?: { project_root?: string; all_projects?: boolean; kind?: TimelineKind; offset?: number; limit?: number }): Promise<Timeline>;

  /** Live events as server-sent events; the data of each is one object */
  events(fields?: { project_root?: string }, lastEventId?: string, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, unknown>;

  /** Create a one-time login URL for a browser */
  loginCode(): Promise<LoginUrl>;

  /** Login codes that were not used yet */
  loginCodes(): Promise<LoginCodes>;

  /** Exchange a login code for a token */
  login(fields: { code: string }): Promise<BrowserToken>;

  /** Log the calling browser out */
  logout(): Promise<NoBody>;

  /** Start a sync: learn from new sessions */
  sync(fields?: { agent?: string | null; since?: string | null; max_sessions?: number | null; force?: boolean; dry_run?: boolean }): Promise<Accepted>;

  /** Consolidate, verify and fade memories */
  maintain(fields?: { project_root?: string | null; dry_run?: boolean }): Promise<Accepted>;

  /** The last jobs of this server, newest first */
  listJobs(): Promise<JobList>;

  /** One job */
  getJob(id: string): Promise<JobView>;

  /** Cancel a job; a running one stops at its next step */
  cancelJob(id: string): Promise<JobView>;

  /** Memories by filters, in pages */
  listMemories(fields?: { project_root?: string; all_projects?: boolean; type?: MemoryType; kind?: string; tag?: string; trust?: Trust; status?: Status; stale?: boolean; scope?: ListScope; text?: string; sort?: MemorySort; facets?: boolean; offset?: number; limit?: number }): Promise<MemoryPage>;

  /** Add a person's note */
  addMemory(fields: { title: string; body: string; type?: MemoryType | null; kind?: string | null; tags?: Array<string>; scope?: WriteScope | null; project_root?: string | null }): Promise<MemoryAdded>;

  /** One memory with its evidence */
  getMemory(id: string, fields?: { project_root?: string }): Promise<MemoryDetail>;

  /** Edit a memory that has not changed since it was read */
  editMemory(id: string, fields: { expected_digest: string; title?: string | null; body?: string | null; tags?: Array<string> | null; kind?: string | null; project_root?: string | null }): Promise<MemoryChanged>;

  /** Evidence in its conversation, earlier texts, and use of a memory */
  memoryProvenance(id: string, fields?: { project_root?: string }): Promise<MemoryProvenance>;

  /** Confirm a memory */
  confirmMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Reject a memory as wrong */
  rejectMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Archive a memory */
  archiveMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Restore a memory */
  restoreMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Accept the first proposal for a memory */
  acceptProposal(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Everything that waits for a person */
  listReview(fields?: { project_root?: string; all_projects?: boolean }): Promise<ReviewQueue>;

  /** Decide on items, or preview decisions */
  decideReview(fields: { decisions: Array<ReviewChoice>; dry_run?: boolean; project_root?: string | null; all_projects?: boolean }): Promise<ReviewReport>;

  /** One item with its evidence and the effect of each action */
  getReviewItem(id: string, fields?: { project_root?: string; all_projects?: boolean }): Promise<ReviewDetail>;

  /** Undo the latest decisions */
  undoReview(fields?: { project_root?: string | null; all_projects?: boolean }): Promise<ReviewUndone>;

  /** Find memories */
  search(fields: { q: string; project_root?: string; all_projects?: boolean; type?: MemoryType; kind?: string; tag?: string; agent?: string; trust?: Trust; status?: Status; since?: string; scope?: SearchScope; limit?: number; offset?: number }): Promise<SearchPage>;

  /** Ask memory a question */
  ask(fields: { question: string; project_root?: string | null }): Promise<AskAnswer>;

  /** Agents and whether their sessions may be read */
  listConnections(): Promise<Array<Connection>>;

  /** Start reading an agent's sessions */
  connect(fields: { agent: string; root?: string | null }): Promise<Connection>;

  /** Stop reading an agent's sessions */
  disconnect(agent: string): Promise<Removed>;

  /** Known projects */
  listProjects(): Promise<Array<ProjectRow>>;

  /** Register a project */
  addProject(fields: { path: string; former?: string | null }): Promise<ProjectAdded>;

  /** Unregister a project */
  removeProject(fields: { path: string }): Promise<ProjectChanged>;

  /** Trust a project's settings, or revoke that */
  trustProject(fields: { path: string; trusted: boolean }): Promise<ProjectChanged>;

  /** Folders whose sessions are not read */
  listExcluded(): Promise<ExcludedFolders>;

  /** Stop reading sessions of a folder */
  exclude(fields: { folder: string }): Promise<Exclusions>;

  /** Resume reading sessions of a folder */
  include(fields: { folder: string }): Promise<Exclusions>;

  /** Plugins with their grants, limits and use */
  listPlugins(): Promise<Array<PluginRow>>;

  /** The model that reads sessions, available models, and the spending of today */
  getModel(): Promise<ModelView>;

  /** Choose the model that reads sessions, or none */
  chooseModel(fields?: { name?: string | null }): Promise<ModelView>;

  /** Try the model on one session, without storing anything */
  testModel(): Promise<ModelTrial>;

  /** All settings, and where each comes from */
  listSettings(fields?: { project_root?: string }): Promise<SettingsForm>;

  /** Change a setting that is a number, a boolean or one of several words */
  setSetting(fields: { key: string; value: unknown }): Promise<SettingWritten>;

  /** Briefs that agents got in a project, newest first, with the reason for each line */
  listBriefs(fields?: { project_root?: string; session?: string; limit?: number }): Promise<BriefList>;

  /** Runs, newest first */
  listRuns(fields?: { project_root?: string; state?: TaskState; limit?: number; before?: number }): Promise<RunList>;

  /** One run with its artifacts */
  getRun(id: string): Promise<RunDetail>;

  /** Jobs of the durable queue */
  listQueue(fields?: { state?: TaskState }): Promise<QueueList>;

  /** Retry a job now */
  retryQueued(id: string): Promise<QueueChanged>;

  /** Never run this revision of the session */
  skipQueued(id: string): Promise<QueueChanged>;

  /** Cancel a job of the queue */
  cancelQueued(id: string): Promise<QueueChanged>;

  /** Sessions by filters, in pages */
  listSessions(fields?: { project_root?: string; agent?: string; state?: SessionState; text?: string; offset?: number; limit?: number }): Promise<SessionPage>;

  /** Find something in conversations */
  searchSessions(fields: { q: string; project_root?: string; agent?: string; limit?: number }): Promise<SessionsFound>;

  /** One session with its runs and memories */
  getSession(agent: string, id: string): Promise<SessionDetail>;

  /** The conversation, in pages */
  sessionEvents(agent: string, id: string, fields?: { offset?: number; limit?: number; around?: string }): Promise<EventPage>;

  /** Explore a codebase */
  explore(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** Changes in a codebase */
  delta(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** Files to read for a task */
  context(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** Explore a codebase again and read every file */
  refresh(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;
}
