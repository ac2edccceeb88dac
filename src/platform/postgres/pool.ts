import { DatabaseAway } from '../errors.ts';
import type { Connection, ConnectionTerms, KnownTypes } from './connection.ts';
import { openConnection } from './servers.ts';

interface Waiting {
  sinceMs: number;
  resolve: (connection: Connection) => void;
  reject: (error: DatabaseAway) => void;
}

export interface PoolRoom {
  open: number;
  idle: number;
  waiting: number;
  most: number;
}

/** Opens a second connection if the first takes longer. */
const longOpenMs = 250;
const shortestPauseMs = 50;
const longestPauseMs = 1_000;

/** Returns a backoff with jitter. */
export function pauseMs(failures: number): number {
  const full = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(failures - 1, 10));
  return full * (0.5 + Math.random() / 2);
}

/**
 * Maximum age of connections. Bounds the server's plans and memory, and follows poolers that move.
 */
const longestLifeMs = 45 * 60_000;

/**
 * Maximum number of waiting callers. Others are refused at once, because they could not be served
 * in time.
 */
const mostWaiting = 10_000;

const ended = (): DatabaseAway =>
  new DatabaseAway('CONNECTION_ENDED', 'The pool was closed.', 'nothing done');

/**
 * Connections, opened on demand, each used by one caller at a time. Callers wait until their
 * deadline. While opening fails, the pauses between attempts grow. From the second failure on,
 * waiting callers are rejected if no connection is open to serve them.
 */
export class Pool {
  readonly #terms: ConnectionTerms;
  readonly #max: number;
  readonly #known: KnownTypes = new Map();
  /** A stack, so that a quiet pool keeps few connections warm. */
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #waiting = new Set<Waiting>();
  #opening = 0;
  /** Connections being opened that may soon be ready. */
  #soon = 0;
  #failures = 0;
  #pause: NodeJS.Timeout | null = null;
  #ended = false;
  #onEmpty: () => void = () => {};

  constructor(terms: ConnectionTerms, max: number) {
    this.#terms = terms;
    this.#max = max;
  }

  get room(): PoolRoom {
    return {
      open: this.#all.size,
      idle: this.#idle.length,
      waiting: this.#waiting.size,
      most: this.#max,
    };
  }

  /** Acquires a connection, which the caller releases. Rejects with `DatabaseAway`. */
  acquire(waitMs: number): Promise<Connection> {
    if (this.#ended) return Promise.reject(ended());
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    if (this.#waiting.size >= mostWaiting) {
      return Promise.reject(
        new DatabaseAway('POOL_TIMEOUT', 'Too many calls wait for the database.', 'nothing done'),
      );
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        sinceMs: performance.now(),
        resolve: (connection) => {
          clearTimeout(timer);
          resolve(connection);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        const message = `No connection to the database was free within ${waitMs} ms.`;
        reject(new DatabaseAway('POOL_TIMEOUT', message, 'nothing done'));
      }, waitMs);
      this.#waiting.add(waiting);
      this.#grow();
    });
  }

  release(connection: Connection): void {
    const old = performance.now() - connection.openedAtMs > longestLifeMs;
    if (connection.clean && !old && !this.#ended) this.#give(connection);
    else this.#drop(connection);
  }

  /**
   * Refuses new and waiting callers, and closes idle connections. Abandons those still in use after
   * `withinMs`.
   */
  async end(withinMs: number): Promise<void> {
    this.#ended = true;
    if (this.#pause) clearTimeout(this.#pause);
    this.#refuse(ended());
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    const taken = new Set([...this.#all].filter((one) => !this.#idle.includes(one)));
    const leaving = this.#idle.splice(0).map((connection) => this.#leave(connection));
    if (taken.size > 0) {
      const timer = setTimeout(() => {
        for (const connection of this.#all)
          connection.giveUp('CONNECTION_ENDED', 'The pool ended.');
      }, withinMs);
      await empty;
      clearTimeout(timer);
    }
    await Promise.all(leaving);
  }

  async #leave(connection: Connection): Promise<void> {
    this.#all.delete(connection);
    await connection.close();
  }

  #give(connection: Connection): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(next);
    next.resolve(connection);
  }

  #drop(connection: Connection): void {
    this.#forget(connection);
    void connection.close();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    if (this.#ended && this.#all.size === 0) this.#onEmpty();
    this.#grow();
  }

  #refuse(error: DatabaseAway, waitingSinceMs = Number.POSITIVE_INFINITY): void {
    for (const waiting of this.#waiting) {
      if (waiting.sinceMs > waitingSinceMs) continue;
      this.#waiting.delete(waiting);
      waiting.reject(new DatabaseAway(error.code, error.message, 'nothing done', error));
    }
  }

  /**
   * Opens a connection if a caller waits. One at a time, because existing ones serve most callers
   * before it is ready.
   */
  #grow(): void {
    if (this.#ended || this.#pause || this.#soon > 0) return;
    if (this.#failures > 0 && this.#opening > 0) return;
    const isNeeded = this.#waiting.size > this.#opening;
    if (isNeeded && this.#all.size + this.#opening < this.#max) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    this.#soon += 1;
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      this.#soon -= 1;
      this.#grow();
    }, longOpenMs);
    const begunMs = performance.now();
    const connection = await openConnection(this.#terms, this.#known).catch((error: unknown) => {
      this.#failed(error, begunMs);
      return null;
    });
    clearTimeout(timer);
    this.#opening -= 1;
    if (!isLong) this.#soon -= 1;
    if (connection) {
      this.#failures = 0;
      this.#take(connection);
    }
    this.#grow();
  }

  #take(connection: Connection): void {
    if (this.#ended || !connection.usable) {
      void connection.close();
      return;
    }
    this.#all.add(connection);
    connection.onLost = () => this.#forget(connection);
    this.#give(connection);
  }

  #failed(error: unknown, begunMs: number): void {
    // Concurrent failures count once.
    if (!this.#pause) {
      this.#failures += 1;
      this.#pause = setTimeout(() => {
        this.#pause = null;
        this.#grow();
      }, pauseMs(this.#failures));
    }
    // A single failure may be chance, as when the server is stopping.
    if (this.#all.size > 0 || this.#failures < 2) return;
    const away =
      error instanceof DatabaseAway
        ? error
        : new DatabaseAway('CONNECTION_CLOSED', String(error), 'nothing done', error);
    this.#refuse(away, begunMs);
  }
}
