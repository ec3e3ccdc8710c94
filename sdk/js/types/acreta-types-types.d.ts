declare module 'acreta:types/types@0.1.0' {
  /**
   * Named extras, in the order they were given. Keys are snake_case.
   */
  export type Attrs = Array<[string, string]>;
  /**
   * Why something failed: a sentence for a person and a code for a branch.
   */
  export interface Failure {
    /**
     * One lower-case word or hyphenated words: `not-granted`, `invalid-cursor`, `io`, `limit`, …
     */
    code: string,
    message: string,
    /**
     * Whether the same call may succeed later.
     */
    retryable: boolean,
  }
  /**
   * Where in the agent's own data something stands.
   */
  export interface Origin {
    /**
     * The agent's own id of the record; empty when the format has none.
     */
    record: string,
    /**
     * Byte span of the record in its file; `0, 0` in a database.
     */
    start: bigint,
    end: bigint,
  }
  /**
   * One step of a conversation, in the order of the conversation.
   */
  export interface Event {
    /**
     * Unique in its session and the same on every read of the same data.
     */
    id: string,
    origin: Origin,
    /**
     * Who speaks: `user`, `assistant`, `tool` or `system`.
     */
    role: string,
    /**
     * What it is: `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction`, `note`.
     * Only `text` of role `user` is the person's own voice.
     */
    kind: string,
    /**
     * Milliseconds since 1970 UTC, where the agent recorded a time.
     */
    atMs?: bigint,
    text: string,
    /**
     * Known keys: `tool`, `call_id`, `model`, `message_id`, `input_tokens`, `output_tokens`,
     * `is_error`, `injected_by`, `agent_id`, `copied_from`, `truncated_bytes`. Counts can be
     * added up: each is on one event, `input_tokens` includes `cache_read_tokens` and
     * `cache_write_tokens`, and a key is missing where the agent records nothing. `cost_dollars`
     * is what the agent itself reckoned.
     */
    attrs: Attrs,
  }
  /**
   * A verbatim quote of one event. The host checks that it is there.
   */
  export interface Evidence {
    eventId: string,
    quote: string,
  }
  /**
   * A memory that an extractor proposes.
   */
  export interface Candidate {
    /**
     * Unique in the batch.
     */
    id: string,
    /**
     * `decision` or `learning`: a name from the registry.
     */
    category: string,
    /**
     * For a learning one of the registry's kinds; empty for a decision.
     */
    kind: string,
    title: string,
    body: string,
    /**
     * 0 to 1.
     */
    confidence: number,
    tags: Array<string>,
    evidence: Array<Evidence>,
    attrs: Attrs,
  }
  /**
   * What happened in a session, for someone who was not there.
   */
  export interface Summary {
    title: string,
    /**
     * One sentence.
     */
    description: string,
    /**
     * Markdown, at most 300 words.
     */
    body: string,
    tags: Array<string>,
    evidence: Array<Evidence>,
    attrs: Attrs,
  }
  /**
   * What is known of a session before it is read.
   */
  export interface Session {
    /**
     * The agent's own id of the session.
     */
    id: string,
    agent: string,
    /**
     * Guest path of the file that holds it.
     */
    path: string,
    /**
     * The directory the agent worked in, as the agent recorded it.
     */
    projectDir?: string,
    /**
     * Session that started this one, for subagents and forks.
     */
    parent?: string,
    startedMs?: bigint,
    updatedMs?: bigint,
    /**
     * Changes whenever the session changed.
     */
    revision: string,
    /**
     * Known keys: `title`, `branch`, `version`, `model`, `empty`, `spread` (`true`: parts of the
     * session lie in other files than the one at `path`), `relation` (`subagent` or `fork`:
     * what this session is to its parent), and for agents that record no directory
     * `project_slug` (the path with `-` for every other character) or `project_digest` (a hex
     * digest of the path).
     */
    attrs: Attrs,
  }
}
