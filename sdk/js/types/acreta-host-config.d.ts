declare module 'acreta:host/config@0.1.0' {
  /**
   * The value of a key as JSON text; none when it is not set.
   */
  export function get(key: string): string | undefined;
}
