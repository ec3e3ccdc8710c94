/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:host/search@0.1.0' {
  /**
   * The best hits first. Known `filter` keys: `type`, `kind`, `tag`.
   */
  export function find(query: string, limit: number, filter: Attrs): Array<Hit>;
  export type Attrs = import('acreta:types/types@0.1.0').Attrs;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export interface Hit {
    id: string,
    /**
     * Path under `/memory`.
     */
    path: string,
    score: number,
    snippet: string,
    attrs: Attrs,
  }
}
