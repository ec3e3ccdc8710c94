/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:explorer/explorer@0.1.0' {
  /**
   * One finding or more for each candidate of the batch.
   */
  export function explore(batch: Array<Candidate>): Array<Finding>;
  export type Attrs = import('acreta:types/types@0.1.0').Attrs;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export type Candidate = import('acreta:types/types@0.1.0').Candidate;
  export interface Finding {
    candidateId: string,
    /**
     * `add`, `update` or `no-op`.
     */
    actionHint: string,
    /**
     * Path of the matched memory, relative to `/memory`.
     */
    matchedFile?: string,
    /**
     * 0 to 1, as the explorer sees it; the host computes its own.
     */
    overlap: number,
    /**
     * What in the matched file speaks for the hint.
     */
    evidence: string,
    attrs: Attrs,
  }
}
