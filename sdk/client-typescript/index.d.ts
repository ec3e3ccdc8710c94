// A client of acreta's HTTP API. Generated from docs/openapi.json; needs nothing but `fetch`.
//
//   import { Client } from "acreta-client";
//   const client = new Client(token);
//   const { hits } = await client.search({ q: "queue" });

/** All that is said without a token. */
export interface Health {
  /** `ok`. */
  status: string;
  version: string;
}

/** The body of every answer that is not a success. */
export interface ProblemBody {
  error: Problem;
  request_id: string;
}

export interface Problem {
  code: ProblemCode;
  message: string;
  /** What led to it, the nearest first. */
  causes: Array<string>;
  /** What to do about it. */
  hints: Array<string>;
}

/** For programs to branch on. */
export type ProblemCode = "project-not-registered" | "not-found" | "method-not-allowed" | "too-large" | "wrong-content-type" | "failed" | "malformed" | "invalid" | "unauthorised" | "wrong-code" | "wrong-host" | "wrong-origin" | "refused" | "changed-meanwhile" | "too-slow" | "busy" | "timed-out";

export interface StatusView {
  version: string;
  started_ms: number;
  /** Registered ones. */
  projects: number;
  sessions: Array<SessionTotals>;
  queue: QueueTotals;
  memories: MemoryTotals;
  /** What waits for a person in the project that was asked for. */
  review: ReviewCounts;
  schedule: ScheduleView;
}

export interface SessionTotals {
  agent: string;
  state: SessionState;
  sessions: number;
}

/** Where a session stands. */
export type SessionState = "queued" | "done" | "waiting" | "new" | "failed";

export interface QueueTotals {
  queued: number;
  running: number;
  /** Failed and tried again later. */
  failed: number;
  /** Failed for good, until a person says so. */
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
  /** Absent when it is switched off. */
  every_seconds?: number;
  /** When one last ended. */
  last_ms?: number;
  next_ms?: number;
}

export interface Overview {
  memories: MemoryCounts;
  /** The oldest day first. */
  growth: Array<GrowthDay>;
  /** How many memories have which effective confidence, from the lowest to the highest. */
  decay: Array<DecayBar>;
  sessions: Array<SessionDay>;
  runs: RunCounts;
  cost: Cost;
  /** Sessions that were read without the configured model and wait for it, a line for each reason. */
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
  /** At the end of the day. */
  active: number;
}

export interface DecayBar {
  /** From this confidence on. */
  from: number;
  /** And below this one; the last bar has its end too. */
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
  /** The newest first. */
  recent: Array<RunRow>;
}

export interface RunRow {
  run_id: string;
  /** `sync`, `hot`, `cold`, `maintain`, `run`. */
  mode: string;
  project: string;
  state: TaskState;
  started_ms: number;
  /** What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts. */
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
  /** Absent when nobody knows the prices. */
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
  /** Why, and when it is tried again. */
  message: string;
}

/** Something that a plugin tried and was not allowed to. */
export interface DeniedRow {
  plugin: string;
  operation: string;
  path: string;
  count: number;
  run_id: string;
}

export interface Home {
  learnt: Learnt;
  /** Jobs that failed for good. */
  dead_letters: number;
  /** Why sessions wait for a model, a sentence for each reason. */
  waiting_for_model: Array<string>;
  leaving: Leaving;
  memories: HomeCounts;
  /** Absent where no model is asked. */
  spend?: SpendToday;
}

/** What runs added or changed since a time. */
export interface Learnt {
  since_ms: number;
  /** New or changed memories, summaries aside. */
  total: number;
  /** Summaries of sessions. */
  summaries: number;
  /** Sessions that were read. */
  sessions: number;
  /** Decisions, conventions and pitfalls first. */
  memories: Array<LearntMemory>;
}

export interface LearntMemory {
  id: string;
  type: MemoryType;
  /** Empty when the type has no kinds. */
  kind: string;
  title: string;
  trust: Trust;
  /** It was there before, and says something else now. */
  changed: boolean;
  at_ms: number;
}

/** Sessions that their agents delete within a week. */
export interface Leaving {
  total: number;
  /** Without a copy here: the next sync makes one. */
  not_archived: number;
  /** The next to go first. */
  sessions: Array<LeavingSession>;
}

export interface LeavingSession {
  agent: string;
  id: string;
  /** From when on its agent deletes it. */
  at_ms: number;
  archived: boolean;
  title?: string;
}

/** One day of UTC, of all projects together. */
export interface SpendToday {
  calls: number;
  tokens: number;
  dollars: number;
  /** By price lists, as far as programs say so; a plan is not billed. */
  list_dollars: number;
  calls_limit?: number;
  tokens_limit?: number;
  dollars_limit?: number;
}

export interface HomeCounts {
  /** Active ones, with summaries. */
  active: number;
  decisions: number;
  learnings: number;
  summaries: number;
  confirmed: number;
  /** They name what is gone. */
  stale: number;
}

export type TimelineKind = "session" | "decision" | "learning" | "change_of_mind" | "rejected";

export interface Timeline {
  /** The newest first. */
  entries: Array<TimelineEntry>;
  /** How many there are of the wanted kind. */
  total: number;
  counts: TimelineCounts;
}

export interface TimelineEntry {
  at_ms: number;
  kind: TimelineKind;
  title: string;
  /** Of a change of mind: what held before. */
  before: Array<FormerMemory>;
  /** Of a session: memories that rest on it. */
  memories: number;
  /** Of the memory that it is about. */
  memory_id?: string;
  /** The kind of a learning, or the type of a memory that has no kind. */
  memory_kind?: string;
  /** The agent whose session it is or comes from. */
  agent?: string;
  session_id?: string;
}

export interface FormerMemory {
  title: string;
  /** Absent for a text that is no memory any more. */
  id?: string;
}

/** How many entries there are of each kind. */
export interface TimelineCounts {
  sessions: number;
  decisions: number;
  learnings: number;
  changes_of_mind: number;
  rejected: number;
}

/** One event of `/api/events`. */
export interface LiveEvent {
  /** Goes back as `Last-Event-ID`. */
  id: string;
  at_ms: number;
  /** `job` for the jobs of this server, else what the service calls it. */
  kind: string;
  /** The new state of a job, else the name of the event. */
  name: string;
  /** Of a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one. */
  fields: Record<string, unknown>;
  run_id?: string;
  request_id?: string;
  project?: string;
}

/** The body of a call that needs to be told nothing: `{}`. */
export type NoBody = Record<string, unknown>;

export interface LoginUrl {
  /** The code is behind the `#`, where it reaches no log. It works once, for a minute. */
  url: string;
}

export interface LoginRequest {
  code: string;
}

/** What `acreta sync` takes. */
export interface SyncRequest {
  /** Only the sessions of this agent. */
  agent?: string | null;
  /** Only sessions that changed since then. */
  since?: string | null;
  /** At most so many sessions are run. */
  max_sessions?: number | null;
  /** Also sessions that memory has already. */
  force?: boolean;
  /** Look, and write nothing. */
  dry_run?: boolean;
}

export interface Accepted {
  job_id: string;
  /** `accepted`, or `queued` where the same job was waiting already. */
  state: TaskState;
  /** Of the request that asked first, where the same job was waiting already. */
  request_id: string;
}

/** What `acreta maintain` takes. */
export interface MaintainRequest {
  /** All registered projects unless told. */
  project_root?: string | null;
  /** Look, and write nothing. */
  dry_run?: boolean;
}

export interface JobList {
  /** The newest first. */
  jobs: Array<JobView>;
}

export interface JobView {
  id: string;
  kind: JobKind;
  state: TaskState;
  created_ms: number;
  /** Of the request that asked for it; one of its own when the schedule did. */
  request_id: string;
  started_ms?: number;
  finished_ms?: number;
  progress?: JobProgress;
  /** What `sync --json` or `maintain --json` prints. */
  result?: unknown;
  error?: Problem;
}

export type JobKind = "sync" | "maintain";

/** How far a job is. */
export interface JobProgress {
  done: number;
  /** What is being done, for a person. */
  message: string;
  /** Absent while nobody knows. */
  total?: number;
}

export type Status = "active" | "archived" | "superseded";

/** Whose memory is listed. */
export type ListScope = "project" | "global" | "all";

export type MemorySort = "updated" | "created" | "title" | "confidence" | "rank";

export interface MemoryPage {
  items: Array<MemoryRow>;
  /** How many fit the filters. */
  total: number;
  offset: number;
  limit: number;
  facets?: MemoryFacets;
}

export interface MemoryRow {
  id: string;
  /** `project` or `global`. */
  scope: string;
  type: MemoryType;
  /** Empty when the type has no kinds. */
  kind: string;
  title: string;
  tags: Array<string>;
  trust: Trust;
  status: Status;
  stale: boolean;
  /** From 0 to 1, as it was when it was last said. */
  confidence: number;
  /** From 0 to 1, faded by time and lifted by use. */
  effective_confidence: number;
  /** Days, `2026-01-31`. */
  created: string;
  updated: string;
  /** `<agent>/<session id>`, `person`, or `import/<file>`. */
  source: string;
  /** Relative to the memory root. */
  path: string;
  /** How many proposals wait for a person. */
  open_proposals: number;
}

/** How many memories would fit if one more filter were set, the others as they are. */
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
  /** `project` or `global`. */
  scope: string;
  type: MemoryType;
  /** Empty when the type has no kinds. */
  kind: string;
  title: string;
  tags: Array<string>;
  trust: Trust;
  status: Status;
  stale: boolean;
  /** From 0 to 1, as it was when it was last said. */
  confidence: number;
  /** From 0 to 1, faded by time and lifted by use. */
  effective_confidence: number;
  /** Days, `2026-01-31`. */
  created: string;
  updated: string;
  /** `<agent>/<session id>`, `person`, or `import/<file>`. */
  source: string;
  /** Relative to the memory root. */
  path: string;
  /** How many proposals wait for a person. */
  open_proposals: number;
  /** Markdown. */
  body: string;
  /** Of the file; an edit names it. */
  digest: string;
  related: Array<Link>;
  /** Earlier memories, and the titles of earlier texts of this one without an id. */
  supersedes: Array<Link>;
  evidence: Array<EvidenceQuote>;
  proposals: Array<MemoryProposal>;
  /** Files and symbols it names that are gone. */
  missing: Array<string>;
  superseded_by?: Link;
  /** The day it was last compared with the repository. */
  last_verified?: string;
  /** Who brought it by git, and with which commit, when that was somebody else. */
  origin?: string;
}

export interface Link {
  title: string;
  /** Absent when it is not, or no longer, a memory. */
  id?: string;
}

/** What was said, word for word, and where. */
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

/** A change that waits for a person. */
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
  /** The newest first. */
  evidence: Array<ReviewEvidence>;
  /** Quotes in all; `evidence` has the newest of them. */
  quotes: number;
  /** The texts it had, the newest first. */
  versions: Array<MemoryVersion>;
  used: MemoryUse;
}

/** What was said, word for word, and around it. */
export interface ReviewEvidence {
  agent: string;
  /** Empty for what no session said. */
  session_id: string;
  event_id: string;
  /** `user`, `assistant` or `tool`. */
  role: string;
  quote: string;
  /** The conversation around the quote, in its order; empty where it is not at hand. */
  turns: Array<Turn>;
  at_ms?: number;
}

/** One turn of a conversation. */
export interface Turn {
  event_id: string;
  role: string;
  text: string;
  /** The quote stands in it. */
  quoted: boolean;
  at_ms?: number;
}

/** A text that the memory had, as a session or a person gave it. */
export interface MemoryVersion {
  at_ms: number;
  /** `person`, `import` or the agent whose session said it. */
  agent: string;
  /** Empty for what no session said. */
  session_id: string;
  title: string;
  /** Against the text before: lines with `+`, `-` or a blank. The first text has none. */
  diff: string;
}

/** How often agents got a memory, within the last half year, and what came of it. */
export interface MemoryUse {
  /** Briefs at the start of a session, among those that are kept. */
  briefs: number;
  /** Sessions that were offered it at any moment. */
  offered: number;
  used: number;
  dismissed: number;
}

/** A new memory, by a person. */
export interface MemoryNote {
  title: string;
  body: string;
  /** Told from the text unless told. */
  type?: MemoryType | null;
  kind?: string | null;
  tags?: Array<string>;
  /** `project` unless told. */
  scope?: WriteScope | null;
  project_root?: string | null;
}

/** The scope of a new memory. */
export type WriteScope = "project" | "global";

/** What became of a note. */
export interface MemoryAdded {
  /** `add`, `update`, `no_op`, or `pending`: it waits for a person. */
  action: string;
  message: string;
  /** The memory that holds it now, or the pending record. */
  id?: string;
  /** Relative to the memory root. */
  path?: string;
}

/** What is to be different. At least one of title, body, tags and kind. */
export interface MemoryEdit {
  /** The digest of what was read. */
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

/** Which project is meant; the server's own unless told. */
export interface InProject {
  project_root?: string | null;
}

/** Everything that waits, what needs a decision most first. */
export interface ReviewQueue {
  waiting: ReviewCounts;
  items: Array<ReviewItem>;
  /** The decisions that undo would take back. */
  last: Array<PastDecision>;
}

/** One thing that waits for a person. */
export interface ReviewItem {
  id: string;
  kind: ReviewKind;
  /** `project` or `global`. */
  scope: string;
  title: string;
  /** The memories it is about; of a conflict the newer first. */
  memories: Array<ReviewMemory>;
  /** Why it waits. */
  why: string;
  actions: Array<OfferedAction>;
  /** Time of its newest evidence. */
  at_ms?: number;
}

export type ReviewKind = "conflict" | "proposal" | "pending" | "untrusted";

/** A text of an item: a memory, or what would be one. */
export interface ReviewMemory {
  /** The kind of a learning, or the type of what has no kind. */
  kind: string;
  title: string;
  /** Markdown, without the heading that repeats the title. */
  body: string;
  tags: Array<string>;
  trust: string;
  /** Absent for what is no memory yet. */
  id?: string;
}

/** An action that an item allows, and its meaning there. */
export interface OfferedAction {
  action: ReviewAction;
  /** For people: `keep both`. */
  label: string;
  /** It takes the id of the memory that stands afterwards. */
  needs_keep: boolean;
}

export type ReviewAction = "accept" | "edit" | "reject" | "merge" | "supersede";

/** A decision that can be taken back, or was. */
export interface PastDecision {
  id: string;
  action: string;
  title: string;
  at_ms: number;
}

/** One item with everything a decision takes. */
export interface ReviewDetail {
  item: ReviewItem;
  evidence: Array<ReviewEvidence>;
  /** Of each action that takes nothing more from the reviewer. */
  effects: Array<ActionEffect>;
  /** Memories worded alike, with which it could be merged. */
  alike: Array<AlikeMemory>;
}

/** The effect of a decision on memory, worked out before it is made. */
export interface ActionEffect {
  action: ReviewAction;
  /** Sentences for people. */
  summary: Array<string>;
  files: Array<FileDiff>;
  /** Why it cannot be done. */
  problem?: string;
}

export interface FileDiff {
  /** Relative to the memory root, afterwards. */
  path: string;
  /** Lines of the text that people read, each after `+`, `-` or a space; empty if it stays as it is. */
  diff: string;
}

export interface AlikeMemory {
  id: string;
  title: string;
}

/** Decisions, made one after the other. */
export interface ReviewRequest {
  decisions: Array<ReviewChoice>;
  /** Only say what each would do by itself. */
  dry_run?: boolean;
  project_root?: string | null;
}

/** A decision on one item. */
export interface ReviewChoice {
  /** The item's id. */
  id: string;
  action: ReviewAction;
  /** The memory that stands afterwards; of a conflict the newer one unless told. */
  keep?: string;
  /** The reviewer's own words, for an edit. */
  title?: string;
  body?: string;
}

/** What became of decisions. */
export interface ReviewReport {
  decisions: Array<DecisionReport>;
  waiting: ReviewCounts;
  /** Nothing was changed: this is what would be done. */
  dry_run: boolean;
}

export interface DecisionReport {
  id: string;
  title: string;
  message: string;
  effect: ActionEffect;
}

/** What undo took back. */
export interface ReviewUndone {
  /** The last decision first. */
  undone: Array<PastDecision>;
  waiting: ReviewCounts;
}

export type SearchScope = "project_fallback_global" | "project_only" | "global_only";

export interface SearchPage {
  query: string;
  /** The best first. */
  hits: Array<SearchHit>;
  /** Whether something comes after them. */
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
  /** Bytes of the snippet that fit the query, from and to. */
  marks: Array<[number, number]>;
}

export interface AskRequest {
  question: string;
  project_root?: string | null;
}

export interface AskAnswer {
  question: string;
  /** False when nothing in memory answers the question. */
  answered: boolean;
  /** One or two sentences of memory, or a model's with a source each; empty when it is not answered. */
  answer: string;
  sources: Array<AskSource>;
  /** The memories nearest to a question that is not answered. */
  nearest: Array<AskSource>;
  /** `passages` or `model`. */
  by: string;
}

export interface AskSource {
  /** As the answer names it. */
  number: number;
  id: string;
  scope: string;
  title: string;
  path: string;
  trust: Trust;
}

export interface Connection {
  agent: string;
  /** The plugin that reads its sessions. */
  adapter: string;
  granted: boolean;
  roots: Array<string>;
  sessions: number;
  /** Absent when the agent keeps its sessions. */
  deletes_after_days?: number;
}

export interface NewConnection {
  agent: string;
  /** A folder of sessions; where the agent usually has them unless told. */
  root?: string | null;
}

export interface Removed {
  agent: string;
  changed: boolean;
  message: string;
}

export interface ProjectRow {
  path: string;
  registered: boolean;
  exists: boolean;
  sessions: number;
  memories: number;
  /** Whether its own settings count. */
  trusted: boolean;
  /** The one that a request means which names none. */
  current: boolean;
}

export interface NewProject {
  path: string;
}

export interface ProjectAdded {
  /** As it is registered: the main checkout. */
  path: string;
  changed: boolean;
  message: string;
}

export interface ProjectChanged {
  path: string;
  changed: boolean;
  message: string;
}

/** Whether the settings that lie in a project count. */
export interface ProjectTrust {
  path: string;
  trusted: boolean;
}

/** Folders whose sessions are not read, whatever agent worked there. */
export interface ExcludedFolders {
  folders: Array<string>;
}

export interface ExcludedFolder {
  folder: string;
}

/** What a change of the excluded folders came to. */
export interface Exclusions {
  /** The folder that was named, as it is kept. */
  folder: string;
  /** All that are excluded now. */
  excluded: Array<string>;
  /** Sessions of the folder that were archived before. They stay. */
  archived: number;
}

export interface PluginRow {
  id: string;
  /** `adapter`, `extractor`, `explorer` or `memory-writer`. */
  role: string;
  /** `built-in`, or the path of the component. */
  origin: string;
  /** The interface it was made for, `acreta:adapter@0.1.0`. */
  wit: string;
  /** SHA-256 of the component. */
  digest: string;
  bytes: number;
  grants: Array<PluginGrant>;
  limits: Record<string, unknown>;
  use: PluginUse;
}

/** A folder that it asks to read. */
export interface PluginGrant {
  root: string;
  /** Where it may be on this machine. */
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
  /** Whoever could read sessions on this machine. */
  found: Array<ModelChoice>;
  spend: SpendToday;
  /** Providers that take no calls for now, a sentence for each. */
  blocked: Array<string>;
  /** `PROVIDER` or `PROVIDER/MODEL`; absent when nobody is asked. */
  current?: string;
}

/** Something that could read sessions. */
export interface ModelChoice {
  /** As `choose_model` takes it. */
  name: string;
  label: string;
  /** `plan`, `local` or `api-key`. */
  access: string;
  /** `ready`, `logged-out` or `unknown`. */
  readiness: string;
  /** Where sessions go. */
  destination: string;
  /** The command that makes it ready. */
  remedy?: string;
}

export interface ChosenModel {
  /** `PROVIDER` or `PROVIDER/MODEL`; nobody is asked any more when it is absent. */
  name?: string | null;
}

/** One session as the model read it; nothing of it is kept. */
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
  /** Why a request got no reply. */
  problem?: string;
}

export interface TrialFinding {
  type: MemoryType;
  kind: string;
  title: string;
  body: string;
  quotes: Array<string>;
}

/** All settings with what a form needs to show them. */
export interface SettingsForm {
  /** By key. */
  settings: Array<SettingRow>;
  /** Sentences about settings of files and variables that do not count. */
  ignored: Array<string>;
}

export interface SettingRow {
  key: string;
  help: string;
  /** `built-in`, a file, or a variable; empty where nothing is set. */
  origin: string;
  /** The values that it takes; empty for any. */
  choices: Array<string>;
  /** Whether [`set_plain`] takes it. */
  plain: boolean;
  /** Absent where nothing is set. */
  value?: unknown;
}

export interface NewSetting {
  key: string;
  /** A number, a switch, or one of the setting's words. */
  value: unknown;
}

export interface SettingWritten {
  /** The file that has it now. */
  file: string;
  /** The value as TOML. */
  value: string;
}

export interface BriefList {
  /** The newest first, each with the reason for every line. */
  briefs: Array<GivenBrief>;
}

/** A brief as an agent got it, and why each line is in it. */
export interface GivenBrief {
  /** Milliseconds since 1970. */
  at_ms: number;
  /** Where it started, relative to the project; empty for its root. */
  directory: string;
  /** Files that the branch changed. */
  changed: number;
  /** Open ends of the last session. */
  open: Array<string>;
  lines: Array<BriefLine>;
  left_out: LeftOut;
  tokens: number;
  /** The whole brief. */
  text: string;
  /** The session, as its agent calls it. */
  session?: string;
  agent?: string;
  branch?: string;
  /** The default branch that changed files are counted from. */
  base?: string;
}

/** A memory in a brief. */
export interface BriefLine {
  id: string;
  text: string;
  /** Why it is told. */
  reason: string;
}

/** How many memories are not told. */
export interface LeftOut {
  /** They clear the bar and did not fit. */
  space: number;
  /** Too weak or faded to clear the bar. */
  weak: number;
  /** Only a tool says so, stale, or something else took their place. */
  doubtful: number;
}

export interface RunList {
  /** The newest first. */
  runs: Array<RunRow>;
}

export interface RunDetail {
  run_id: string;
  /** `sync`, `hot`, `cold`, `maintain`, `run`. */
  mode: string;
  project: string;
  state: TaskState;
  started_ms: number;
  /** What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts. */
  counts: Record<string, unknown>;
  /** Where its artifacts are, on this machine. */
  folder: string;
  /** How long its steps took, in their order; empty where nobody wrote that down. */
  steps: Array<StepTime>;
  /** Lines of `agent.log`. */
  log: Array<string>;
  /** Lines of `subagents.log`. */
  findings: Array<unknown>;
  /** From `extract.json`. */
  candidates: Array<unknown>;
  /** Names of the files in its folder. */
  artifacts: Array<string>;
  agent?: string;
  session_id?: string;
  finished_ms?: number;
  error?: string;
  /** `memory_actions.json` or `maintain_actions.json`, as it is; absent when there is none. */
  report?: unknown;
}

export interface StepTime {
  step: string;
  started_ms: number;
  /** Absent while it goes on. */
  ended_ms?: number;
}

export interface QueueList {
  /** In the order in which they are taken. */
  jobs: Array<QueueJob>;
}

export interface QueueJob {
  id: string;
  agent: string;
  session_id: string;
  project: string;
  /** Why it was put down: `sync`, `hot`, `cold`. */
  mode: string;
  state: TaskState;
  /** Nothing is done with it until a person says so. */
  dead: boolean;
  /** Attempts that were made, with the one that runs. */
  attempt: number;
  created_ms: number;
  /** It is not tried before this. */
  not_before_ms?: number;
  started_ms?: number;
  finished_ms?: number;
  /** Why the last attempt did not succeed, or why it was cancelled. */
  cause?: string;
  /** Its last run. */
  run_id?: string;
}

export interface QueueChanged {
  id: string;
  changed: boolean;
  message: string;
}

export interface SessionPage {
  /** The newest first. */
  items: Array<SessionRow>;
  total: number;
}

export interface SessionRow {
  agent: string;
  id: string;
  state: SessionState;
  /** Where its text is. */
  copy: SessionCopy;
  bytes: number;
  title?: string;
  /** Absent when it is known to have none. */
  project?: string;
  updated_ms?: number;
  revision?: string;
}

/** Where the text of a session is. */
export type SessionCopy = "agent_only" | "archived" | "rescued" | "prompts_only" | "lost";

export interface SessionsFound {
  /** Of the newest sessions first. */
  hits: Array<SessionHit>;
  /** Sessions that were looked through. */
  searched: number;
  /** Sessions that were not, because enough was found before. */
  left: number;
  /** Sessions that could not be read. */
  unreadable: number;
}

/** A place where the text stands. */
export interface SessionHit {
  agent: string;
  session_id: string;
  event_id: string;
  role: string;
  /** The text with some words around it, on one line. */
  snippet: string;
  title?: string;
  at_ms?: number;
}

export interface SessionDetail {
  agent: string;
  id: string;
  state: SessionState;
  /** Where its text is. */
  copy: SessionCopy;
  bytes: number;
  /** What it led to. */
  memories: Array<SessionMemory>;
  /** The newest first. */
  runs: Array<RunRow>;
  title?: string;
  /** Absent when it is known to have none. */
  project?: string;
  updated_ms?: number;
  revision?: string;
}

export interface SessionMemory {
  id: string;
  title: string;
  type: MemoryType;
  /** Empty when the type has no kinds. */
  kind: string;
  /** Ids of the events that it quotes. */
  events: Array<string>;
}

export interface EventPage {
  events: Array<SessionEvent>;
  total: number;
  /** How many events come before the first of these. */
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
  /** Whether the text goes on after what is given. */
  truncated: boolean;
  at_ms?: number;
}

export interface ContextRequest {
  project_root: string;
  /** `compact` unless told. */
  detail?: ContextDetail | null;
  /** Look at every file again first. */
  refresh?: boolean;
  /** What the context is for. */
  query?: string | null;
  /** The most tokens of the answer. */
  budget?: number | null;
  /** A git revision; the last exploration unless told. Only `delta` looks at it. */
  since?: string | null;
}

export type ContextDetail = "compact" | "normal" | "verbose";

/** A call that did nothing, and why. */
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

  /** Whether the server is there */
  health(): Promise<Health>;

  /** How the daemon stands */
  status(fields?: { project_root?: string }): Promise<StatusView>;

  /** This document */
  openapi(): Promise<unknown>;

  /** Figures for charts */
  overview(fields?: { project_root?: string }): Promise<Overview>;

  /** What was learnt, what needs a person, what is about to go, what was spent */
  home(fields?: { project_root?: string; since?: number }): Promise<Home>;

  /** Sessions, decisions and changes of mind of a project, the newest first */
  timeline(fields?: { project_root?: string; kind?: TimelineKind; offset?: number; limit?: number }): Promise<Timeline>;

  /** What happens, as server-sent events; the data of each is one object */
  events(fields?: { project_root?: string }, lastEventId?: string, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, unknown>;

  /** Make a URL that lets a browser in once */
  loginCode(): Promise<LoginUrl>;

  /** Trade a code for a cookie */
  login(fields: { code: string }): Promise<NoBody>;

  /** Forget the browser that asks */
  logout(): Promise<NoBody>;

  /** Bring new sessions into memory */
  sync(fields?: { agent?: string | null; since?: string | null; max_sessions?: number | null; force?: boolean; dry_run?: boolean }): Promise<Accepted>;

  /** Consolidate, verify and fade memories */
  maintain(fields?: { project_root?: string | null; dry_run?: boolean }): Promise<Accepted>;

  /** The last jobs of this server, the newest first */
  listJobs(): Promise<JobList>;

  /** One job */
  getJob(id: string): Promise<JobView>;

  /** Cancel a job; one that runs ends when it notices */
  cancelJob(id: string): Promise<JobView>;

  /** Memories by filters, in pages */
  listMemories(fields?: { project_root?: string; type?: MemoryType; kind?: string; tag?: string; trust?: Trust; status?: Status; stale?: boolean; scope?: ListScope; text?: string; sort?: MemorySort; facets?: boolean; offset?: number; limit?: number }): Promise<MemoryPage>;

  /** Take a person's note in */
  addMemory(fields: { title: string; body: string; type?: MemoryType | null; kind?: string | null; tags?: Array<string>; scope?: WriteScope | null; project_root?: string | null }): Promise<MemoryAdded>;

  /** One memory with its evidence */
  getMemory(id: string, fields?: { project_root?: string }): Promise<MemoryDetail>;

  /** Change a memory that is still as it was read */
  editMemory(id: string, fields: { expected_digest: string; title?: string | null; body?: string | null; tags?: Array<string> | null; kind?: string | null; project_root?: string | null }): Promise<MemoryChanged>;

  /** Evidence in its conversation, earlier texts, and use of a memory */
  memoryProvenance(id: string, fields?: { project_root?: string }): Promise<MemoryProvenance>;

  /** Vouch for a memory */
  confirmMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Say that a memory is wrong */
  rejectMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Put a memory away */
  archiveMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Take a memory back */
  restoreMemory(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Accept what is proposed for a memory */
  acceptProposal(id: string, fields?: { project_root?: string | null }): Promise<MemoryChanged>;

  /** Everything that waits for a person */
  listReview(fields?: { project_root?: string }): Promise<ReviewQueue>;

  /** Decide on items, or see what decisions would do */
  decideReview(fields: { decisions: Array<ReviewChoice>; dry_run?: boolean; project_root?: string | null }): Promise<ReviewReport>;

  /** One item with its evidence and the effect of each action */
  getReviewItem(id: string, fields?: { project_root?: string }): Promise<ReviewDetail>;

  /** Take back the decisions that were made last */
  undoReview(fields?: { project_root?: string | null }): Promise<ReviewUndone>;

  /** Find memories */
  search(fields: { q: string; project_root?: string; type?: MemoryType; kind?: string; tag?: string; agent?: string; trust?: Trust; status?: Status; since?: string; scope?: SearchScope; limit?: number; offset?: number }): Promise<SearchPage>;

  /** Ask memory a question */
  ask(fields: { question: string; project_root?: string | null }): Promise<AskAnswer>;

  /** Agents and whether their sessions may be read */
  listConnections(): Promise<Array<Connection>>;

  /** Let an agent's sessions be read */
  connect(fields: { agent: string; root?: string | null }): Promise<Connection>;

  /** Read an agent's sessions no longer */
  disconnect(agent: string): Promise<Removed>;

  /** Projects that are known */
  listProjects(): Promise<Array<ProjectRow>>;

  /** Register a project */
  addProject(fields: { path: string }): Promise<ProjectAdded>;

  /** Leave a project out from now on */
  removeProject(fields: { path: string }): Promise<ProjectChanged>;

  /** Let the settings in a project count, or no longer */
  trustProject(fields: { path: string; trusted: boolean }): Promise<ProjectChanged>;

  /** Folders whose sessions are not read */
  listExcluded(): Promise<ExcludedFolders>;

  /** Read no session of a folder from now on */
  exclude(fields: { folder: string }): Promise<Exclusions>;

  /** Read sessions of a folder again */
  include(fields: { folder: string }): Promise<Exclusions>;

  /** Plugins with their grants, limits and use */
  listPlugins(): Promise<Array<PluginRow>>;

  /** Who reads sessions, who could, and the spending of today */
  getModel(): Promise<ModelView>;

  /** Choose who reads sessions, or nobody */
  chooseModel(fields?: { name?: string | null }): Promise<ModelView>;

  /** Have the model read one session, and keep nothing */
  testModel(): Promise<ModelTrial>;

  /** All settings, and where each comes from */
  listSettings(fields?: { project_root?: string }): Promise<SettingsForm>;

  /** Change a setting that is a number, a switch or one of several words */
  setSetting(fields: { key: string; value: unknown }): Promise<SettingWritten>;

  /** Briefs that agents got in a project, the newest first, with the reason for each line */
  listBriefs(fields?: { project_root?: string; session?: string; limit?: number }): Promise<BriefList>;

  /** Runs, the newest first */
  listRuns(fields?: { project_root?: string; state?: TaskState; limit?: number; before?: number }): Promise<RunList>;

  /** One run with its artifacts */
  getRun(id: string): Promise<RunDetail>;

  /** Jobs of the durable queue */
  listQueue(fields?: { state?: TaskState }): Promise<QueueList>;

  /** Try a job again now */
  retryQueued(id: string): Promise<QueueChanged>;

  /** Never run this revision of the session */
  skipQueued(id: string): Promise<QueueChanged>;

  /** Cancel a job of the queue */
  cancelQueued(id: string): Promise<QueueChanged>;

  /** Sessions by filters, in pages */
  listSessions(fields?: { project_root?: string; agent?: string; state?: SessionState; text?: string; offset?: number; limit?: number }): Promise<SessionPage>;

  /** Find a text in conversations */
  searchSessions(fields: { q: string; project_root?: string; agent?: string; limit?: number }): Promise<SessionsFound>;

  /** One session and what it led to */
  getSession(agent: string, id: string): Promise<SessionDetail>;

  /** The conversation, in pages */
  sessionEvents(agent: string, id: string, fields?: { offset?: number; limit?: number; around?: string }): Promise<EventPage>;

  /** What a codebase is */
  explore(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** What changed in a codebase */
  delta(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** What to read for a task */
  context(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;

  /** Look at a codebase again */
  refresh(fields: { project_root: string; detail?: ContextDetail | null; refresh?: boolean; query?: string | null; budget?: number | null; since?: string | null }): Promise<Record<string, unknown>>;
}
