export interface Receiver {
  /** Throws unless all lines have certainly arrived. The caller retries. */
  send(lines: readonly string[]): Promise<void>;
}

/** Timeout for a batch. */
export const sendWithinMs = 10_000;
