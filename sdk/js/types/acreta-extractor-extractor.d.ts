/// <reference path="./acreta-host-trace.d.ts" />
/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:extractor/extractor@0.1.0' {
  /**
   * What is worth keeping; an empty list is a good answer.
   */
  export function extract(session: Session, events: Reader): Array<Candidate>;
  /**
   * What was asked, done, decided and left open.
   */
  export function summarise(session: Session, events: Reader): Summary;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export type Session = import('acreta:types/types@0.1.0').Session;
  export type Candidate = import('acreta:types/types@0.1.0').Candidate;
  export type Summary = import('acreta:types/types@0.1.0').Summary;
  export type Reader = import('acreta:host/trace@0.1.0').Reader;
}
