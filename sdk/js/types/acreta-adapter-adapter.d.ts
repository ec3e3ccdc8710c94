/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:adapter/adapter@0.1.0' {
  /**
   * What the adapter reads and what it asks for. Called without any grant.
   */
  export function describe(): Description;
  /**
   * The sessions in one file; empty when the file is not this agent's. Looks at the content, never trusts a name.
   */
  export function sessions(path: string): Array<Session>;
  /**
   * Emits the session's events from `from` on and returns where it stopped. Fails with code
   * `invalid-cursor` when the file was rewritten since.
   */
  export function read(session: Session, from: Cursor): Cursor;
  export type Attrs = import('acreta:types/types@0.1.0').Attrs;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export type Session = import('acreta:types/types@0.1.0').Session;
  /**
   * A directory the adapter asks for. A granted one is preopened read-only under `/<name>`.
   */
  export interface Root {
    name: string,
    /**
     * Where it may lie, first found wins: `~/…`, `$VAR/…`, `<config>/…`, `<data>/…`.
     */
    candidates: Array<string>,
    /**
     * Globs under the root. The host walks; the adapter is asked about what is new or changed.
     */
    patterns: Array<string>,
    /**
     * Why, in a sentence a person decides by.
     */
    reason: string,
  }
  export interface Description {
    /**
     * Short name of the agent: `claude`, `codex`, …
     */
    agent: string,
    roots: Array<Root>,
    /**
     * Known keys: `deletes_after_days`: how long the agent itself keeps its sessions.
     */
    attrs: Attrs,
  }
  /**
   * Where reading stopped. The host keeps it and hands it back.
   */
  export interface Cursor {
    offset: bigint,
    /**
     * The adapter's own, and small.
     */
    state: Uint8Array,
  }
}
