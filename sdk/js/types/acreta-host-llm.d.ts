/// <reference path="./acreta-types-types.d.ts" />
declare module 'acreta:host/llm@0.1.0' {
  /**
   * What is left of the run's budget.
   */
  export function left(): Budget;
  export function complete(request: Request): Reply;
  /**
   * The same for several at once; replies in the order of the requests.
   */
  export function completeAll(requests: Array<Request>): Array<Result<Reply, Failure>>;
  export type Attrs = import('acreta:types/types@0.1.0').Attrs;
  export type Failure = import('acreta:types/types@0.1.0').Failure;
  export interface Message {
    /**
     * `system`, `user` or `assistant`.
     */
    role: string,
    content: string,
  }
  export interface Request {
    /**
     * Which configured model answers: `extract`, `summarise`, `explore`, `ask`.
     */
    purpose: string,
    messages: Array<Message>,
    /**
     * When set, the reply is JSON that fits this schema.
     */
    jsonSchema?: string,
    maxOutputTokens: number,
    attrs: Attrs,
  }
  export interface Reply {
    content: string,
    inputTokens: bigint,
    outputTokens: bigint,
    /**
     * True when it came from the cache and cost nothing.
     */
    cached: boolean,
  }
  export interface Budget {
    callsLeft: number,
    tokensLeft: bigint,
  }
  export type Result<T, E> = { tag: 'ok', val: T } | { tag: 'err', val: E };
}
