declare module 'acreta:host/log@0.1.0' {
  /**
   * `level` is `error`, `warn`, `info` or `debug`.
   */
  export function write(level: string, message: string): void;
}
