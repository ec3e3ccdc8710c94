/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:host/trace@0.1.0' {
  export type Event = import('acreta:types/types@0.1.0').Event;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  
  export class Reader implements Disposable {
    /**
     * This type does not have a public constructor.
     */
    private constructor();
    /**
    * How many events there are.
    */
    count(): bigint;
    /**
    * The next events, up to `max-bytes` of text but at least one; empty at the end.
    */
    next(maxBytes: number): Array<Event>;
    /**
    * One event by its id.
    */
    read(eventId: string): Event | undefined;
    /**
    * Events whose text contains `text` (case-insensitive), from the start, at most `limit`.
    */
    find(text: string, limit: number): Array<Event>;
    /**
    * Start again from the first event.
    */
    rewind(): void;
    [Symbol.dispose](): void;
  }
}
