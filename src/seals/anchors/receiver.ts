export interface Receiver {
  /** Throws if lines may not have arrived, as far as the protocol can tell. The caller retries. */
  send(lines: readonly string[]): Promise<void>;
}

export const sendWithinMs = 10_000;
