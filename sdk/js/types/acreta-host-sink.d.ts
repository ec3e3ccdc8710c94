/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:host/sink@0.1.0' {
  /**
   * Takes a batch of events, in order. Blocks while the host is behind. Fails with code `limit`
   * when the session's bytes are used up; the adapter then returns that failure.
   */
  export function emit(batch: Array<Event>): void;
  /**
   * A line or row that could not be read: counted and shown with its place, never fatal.
   */
  export function diagnose(originRecord: string, start: bigint, end: bigint, message: string): void;
  export type Event = import('acreta:types/types@0.1.0').Event;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
}
