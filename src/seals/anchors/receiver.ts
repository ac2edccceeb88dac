/** Where anchors are kept, outside the database. */
export interface Receiver {
  /** Throws where it cannot be known that all lines arrived; they are sent again then. */
  send(lines: readonly string[]): Promise<void>;
}

/** How long a receiver may take for a batch. */
export const sendWithinMs = 10_000;
