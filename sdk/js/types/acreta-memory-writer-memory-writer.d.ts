/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:memory-writer/memory-writer@0.1.0' {
  /**
   * Drafts one file for each action.
   */
  export function apply(context: Context, actions: Array<Action>): Array<Written>;
  export type Attrs = import('acreta:types/types@0.1.0').Attrs;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export type Candidate = import('acreta:types/types@0.1.0').Candidate;
  export type Summary = import('acreta:types/types@0.1.0').Summary;
  export type Session = import('acreta:types/types@0.1.0').Session;
  export interface Context {
    runId: string,
    nowMs: bigint,
    repoName: string,
    /**
     * Where the archived trace lies, relative to the `.acreta` folder.
     */
    rawTracePath: string,
    codingAgent: string,
    attrs: Attrs,
  }
  /**
   * One file the host wants.
   */
  export interface Action {
    id: string,
    /**
     * `add`: a new file. `update` or `merge`: a new text for `target`.
     */
    operation: string,
    /**
     * The id of the memory, given by the host.
     */
    memoryId: string,
    /**
     * The file's present path relative to the memory root, when there is one; the draft keeps it.
     */
    target?: string,
    /**
     * The present text of the target, so that a writer needs no access to the memory root.
     */
    current?: string,
    /**
     * Ids of the memories that a merge takes in.
     */
    sources: Array<string>,
    createdMs: bigint,
    updatedMs: bigint,
    /**
     * Ids of related memories.
     */
    related: Array<string>,
    /**
     * Set for a decision or a learning.
     */
    candidate?: Candidate,
    /**
     * Set for a summary.
     */
    summary?: Summary,
    session?: Session,
    attrs: Attrs,
  }
  /**
   * The file drafted for an action.
   */
  export interface Written {
    actionId: string,
    /**
     * Relative to `/draft`: `<folder of the type>/<name>.md`.
     */
    path: string,
    attrs: Attrs,
  }
}
