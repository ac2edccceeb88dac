import type { Client, Submittable } from 'pg';

/** Receives the bytes of a COPY row, newline included. They are valid only during the call. */
export type TakeRow = (row: Buffer) => void;

/**
 * Streams the rows of `copy … to stdout` as bytes. Strings would create more garbage than the rows
 * have bytes.
 */
export class CopyOut implements Submittable {
  readonly text: string;
  /** Resolves when the server is done. Rejects with its error, or that of `take`. */
  readonly over: Promise<void>;
  readonly #take: TakeRow;
  readonly #outcome = Promise.withResolvers<void>();
  #failure: { reason: unknown } | null = null;

  constructor(text: string, take: TakeRow) {
    this.text = text;
    this.#take = take;
    this.over = this.#outcome.promise;
  }

  submit(connection: Client['connection']): void {
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure) return;
    try {
      this.#take(chunk);
    } catch (reason) {
      // Throwing here would end the connection.
      this.#failure = { reason };
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#failure) this.#outcome.reject(this.#failure.reason);
    else this.#outcome.resolve();
  }

  handleError(error: unknown): void {
    this.#outcome.reject(error);
  }
}
