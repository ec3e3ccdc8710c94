declare module 'acreta:host/registry@0.1.0' {
  /**
   * All memory types, in the order they are shown.
   */
  export function memoryTypes(): Array<MemoryType>;
  export interface MemoryType {
    /**
     * `decision`, `learning`, `summary`.
     */
    name: string,
    /**
     * Empty when the type has no kinds.
     */
    kinds: Array<string>,
    /**
     * Folder under the memory root.
     */
    folder: string,
    /**
     * One sentence: what belongs here.
     */
    definition: string,
    /**
     * A short example of a good one.
     */
    example: string,
  }
}
