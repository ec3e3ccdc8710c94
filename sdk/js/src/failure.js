// The ways a call fails. Bad input is none of them: it is a diagnostic.

/** Thrown from an exported function, it is the `failure` that the host sees. */
export class Failure extends Error {
  /**
   * @param {string} code lower-case words with hyphens
   * @param {string} message
   * @param {{ retryable?: boolean }} [options]
   */
  constructor(code, message, { retryable = false } = {}) {
    super(message);
    this.payload = { code, message, retryable };
  }

  get code() {
    return this.payload.code;
  }
}
