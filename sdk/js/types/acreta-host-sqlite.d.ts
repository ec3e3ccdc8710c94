/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:host/sqlite@0.1.0' {
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export type Value = ValueNull | ValueInteger | ValueReal | ValueText | ValueBlob;
  export interface ValueNull {
    tag: 'null',
  }
  export interface ValueInteger {
    tag: 'integer',
    val: bigint,
  }
  export interface ValueReal {
    tag: 'real',
    val: number,
  }
  export interface ValueText {
    tag: 'text',
    val: string,
  }
  export interface ValueBlob {
    tag: 'blob',
    val: Uint8Array,
  }
  
  export class Database implements Disposable {
    /**
     * This type does not have a public constructor.
     */
    private constructor();
    /**
    * Takes the snapshot. Fails with code `not-a-database`, `corrupt`, `busy`, `too-large` or `io`.
    */
    static open(path: string): Database;
    /**
    * Starts one SELECT; anything else is refused with code `not-granted`.
    */
    query(sql: string, params: Array<Value>): Rows;
    [Symbol.dispose](): void;
  }
  
  export class Rows implements Disposable {
    /**
     * This type does not have a public constructor.
     */
    private constructor();
    /**
    * The names of the columns, also when there are no rows.
    */
    columns(): Array<string>;
    /**
    * The next rows, at most `max-rows` and about `max-bytes`, but at least one; empty at the end.
    */
    next(maxRows: number, maxBytes: number): Array<Array<Value>>;
    [Symbol.dispose](): void;
  }
}
