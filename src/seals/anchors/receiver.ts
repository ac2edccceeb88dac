/** Stores anchors outside the database. */
export interface Receiver {
  /** Throws unless all lines certainly arrived; they are sent again then. */
  send(lines: readonly string[]): Promise<void>;
}

/** Longest time of a receiver for a batch. */
export const sendWithinMs = 10_000;
