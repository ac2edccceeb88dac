/** Stores anchors outside the database. */
export interface Receiver {
  /** Throws where it cannot be known that all lines arrived; they are sent again then. */
  send(lines: readonly string[]): Promise<void>;
}

/** Longest time of a receiver for a batch. */
export const sendWithinMs = 10_000;
