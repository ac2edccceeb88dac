import { Writable } from 'node:stream';
import type { CopyStreamQuery } from 'pg-copy-streams';

/** The part of a connection that COPY needs. */
interface Carrier {
  giveUp(code: string, message: string): Error;
  judge(error: unknown): unknown;
}

const errorOf = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

type Done = (error?: Error | null) => void;

/**
 * A stream into `copy … from stdin`. Passes one piece at a time to the driver, and nothing after an
 * error, because it would then write to a lost connection. Every piece has a deadline.
 */
export class CopyInto extends Writable {
  /** Resolves with the server's confirmation. Rejects if COPY failed. */
  readonly over: Promise<void>;
  readonly #inner: CopyStreamQuery;
  readonly #carrier: Carrier;
  readonly #deadlineMs: number;
  readonly #outcome = Promise.withResolvers<void>();
  #failure: Error | null = null;
  #ended = false;

  constructor(carrier: Carrier, inner: CopyStreamQuery, deadlineMs: number) {
    super();
    this.#carrier = carrier;
    this.#inner = inner;
    this.#deadlineMs = deadlineMs;
    this.over = this.#outcome.promise;
    this.over.catch(() => {});
    inner.on('error', (error) => this.#fail(errorOf(carrier.judge(error))));
    inner.on('finish', () => {
      this.#ended = true;
      this.#outcome.resolve();
    });
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
    this.#step(done, (next) => this.#inner.write(chunk, encoding, next));
  }

  override _final(done: Done): void {
    this.#step(done, (next) => {
      this.over.then(() => next(), next);
      this.#inner.end();
    });
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#failure || this.#ended) {
      done(error);
      return;
    }
    // Makes the server discard its input and report an error.
    this.#step(
      () => done(error),
      (next) => {
        this.over.then(() => next(), next);
        this.#inner.destroy(error ?? new Error('The copy was given up.'));
      },
    );
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#outcome.reject(this.#failure);
    this.destroy(this.#failure);
  }

  /** Runs one step, until it completes, COPY fails, or its deadline passes. */
  #step(done: Done, step: (next: Done) => void): void {
    if (this.#failure) {
      done(this.#failure);
      return;
    }
    let over = false;
    const next: Done = (error) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      done(error);
    };
    const timer = setTimeout(() => {
      const message = `The database took no more of a COPY for ${this.#deadlineMs} ms.`;
      this.#fail(this.#carrier.giveUp('STATEMENT_TIMEOUT', message));
    }, this.#deadlineMs);
    this.over.catch(next);
    step(next);
  }
}
