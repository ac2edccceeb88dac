import type { Writable } from 'node:stream';
import type { QueryResultRow } from 'pg';
import { DatabaseAway } from '../errors.ts';
import type { TlsTerms } from './address.ts';
import type { ConnectionTerms } from './connection.ts';
import { currentErrand, deadlines, statementMs } from './deadlines.ts';
import { type Layout, noteFailure, oneServer, partsToRun } from './distributed/engine.ts';
import { openListener, type Topics } from './listener.ts';
import { Pool, type PoolRoom } from './pool.ts';
import {
  checkParameter,
  Identifier,
  isWrite,
  type Parameter,
  type Result,
  type Rows,
  type Runner,
  type Sendable,
  Statement,
} from './statement.ts';
import { TransactionRunner } from './transaction.ts';

/** Runs statements, in a transaction or not. */
export interface Queryable {
  readonly layout: Layout;
  /** Quotes the name of a table or column, as a fragment. */
  (name: string): Identifier;
  /** Builds a statement or a fragment. `${}` becomes a parameter. */
  <T extends Rows = QueryResultRow[]>(
    pieces: TemplateStringsArray,
    ...values: readonly (Parameter | Identifier | Statement<Rows> | readonly Statement<Rows>[])[]
  ): Statement<T>;
  /** Runs verbatim text. Without parameters, it may be several statements. */
  unsafe<T extends Rows = QueryResultRow[]>(
    text: string,
    parameters?: readonly Parameter[],
    options?: { prepare?: boolean },
  ): Statement<T>;
}

/** One connection in a transaction, passed by `sql.begin`. */
export interface Transaction extends Queryable {
  /** Distinguishes it from a pool, for functions that need a transaction. */
  readonly inTransaction: true;
}

/** A pool of connections. */
export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction. Commits when it resolves. Rolls back if it throws or any of its
   * statements failed.
   */
  begin<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  begin<R>(options: string, work: (transaction: Transaction) => Promise<R>): Promise<R>;
  /**
   * Calls a topic's function on each notification, and after each (re)connection, when
   * notifications may have been missed. Rejects if the first attempt fails. Retries until `end`.
   */
  listen(topics: Topics): Promise<void>;
  room(): PoolRoom;
  /** Closes the pool: waits up to `timeout` seconds (default 5) for its users, then disconnects. */
  end(options?: { timeout?: number }): Promise<void>;
}

export interface ConnectOptions {
  /** Maximum number of connections. Default: 10. */
  max?: number;
  /** Name in pg_stat_activity. */
  applicationName: string;
  /** TLS options. Unset disables TLS. */
  tls?: TlsTerms | null;
  /** Called with each server notice. By default, notices are ignored. */
  onnotice?: (notice: { message: string | undefined }) => void;
  /** Prepares statements by name. Default: true. */
  prepare?: boolean;
  /** Opens read-only sessions. Default: false. */
  readOnly?: boolean;
  /** Maximum wait for a connection. Default: `deadlines.poolMs`. */
  waitMs?: number;
}

/** Runs each statement on a connection of the pool, and then releases the connection. */
class PoolRunner implements Runner {
  readonly #pool: Pool;
  readonly #waitMs: number;
  readonly #layout: Layout;

  constructor(pool: Pool, waitMs: number, layout: Layout) {
    this.#pool = pool;
    this.#waitMs = waitMs;
    this.#layout = layout;
  }

  async run(statement: Sendable): Promise<Result> {
    if (partsToRun(this.#layout, statement)) {
      return await this.#within('', (runner) => runner.run(statement));
    }
    const connection = await this.#pool.acquire(Math.min(this.#waitMs, statementMs()));
    const { trace } = currentErrand();
    const writes = isWrite(statement.text);
    try {
      const result = await connection.run(statement, statementMs());
      trace.wrote ||= writes;
      return result;
    } catch (error) {
      noteFailure(this.#layout, error);
      if (error instanceof DatabaseAway) {
        if (!writes) error.outcome = 'nothing done';
        trace.wrote ||= error.outcome === 'unknown';
      }
      throw error;
    } finally {
      this.#pool.release(connection);
    }
  }

  async *cursor(statement: Sendable, rowsAtOnce: number): AsyncGenerator<QueryResultRow[]> {
    const connection = await this.#pool.acquire(Math.min(this.#waitMs, statementMs()));
    const runner = new TransactionRunner(connection, this.#layout);
    try {
      await runner.begin('read only');
      yield* runner.cursor(statement, rowsAtOnce);
    } finally {
      await runner.rollback(null);
      this.#pool.release(connection);
    }
  }

  copyInto(): Promise<Writable> {
    return Promise.reject(new TypeError('COPY runs in a transaction.'));
  }

  copyOut(): Promise<void> {
    return Promise.reject(new TypeError('COPY runs in a transaction.'));
  }

  begin<R>(options: string, work: (transaction: Transaction) => Promise<R>): Promise<R> {
    return this.#within(options, (runner) => work(transactionOf(runner, this.#layout)));
  }

  async #within<R>(options: string, work: (runner: TransactionRunner) => Promise<R>): Promise<R> {
    const connection = await this.#pool.acquire(Math.min(this.#waitMs, statementMs()));
    const runner = new TransactionRunner(connection, this.#layout);
    try {
      await runner.begin(options);
      const result = await work(runner);
      await runner.commit();
      return result;
    } catch (error) {
      throw await runner.rollback(error);
    } finally {
      this.#pool.release(connection);
    }
  }
}

function queryableOf(runner: Runner, layout: Layout): Queryable {
  function sql(name: string): Identifier;
  function sql<T extends Rows>(pieces: TemplateStringsArray, ...values: unknown[]): Statement<T>;
  function sql<T extends Rows>(
    first: string | TemplateStringsArray,
    ...values: unknown[]
  ): Identifier | Statement<T> {
    if (typeof first === 'string') return new Identifier(first);
    for (const value of values) checkParameter(value, first[0] ?? '');
    return new Statement<T>(runner, { pieces: first, values });
  }
  const unsafe: Queryable['unsafe'] = (text, parameters = [], { prepare = false } = {}) => {
    for (const value of parameters) checkParameter(value, text);
    return new Statement(
      runner,
      { text, parameters },
      { prepare, several: parameters.length === 0 },
    );
  };
  return Object.assign(sql, { unsafe, layout });
}

const transactionOf = (runner: TransactionRunner, layout: Layout): Transaction =>
  Object.assign(queryableOf(runner, layout), { inTransaction: true } as const);

/**
 * Opens a pool, which connects with the first statement. Results: int8 → number (RangeError beyond
 * 2^53), numeric → string, date → Temporal.PlainDate, timestamptz → Temporal.Instant, timestamp →
 * string, json and jsonb → `parseJson`, and arrays of these with nulls. A parameter gets the type
 * of its place in the statement, so cast ambiguous ones: `${days}::date[]`. A string for `::json`
 * is a JSON string, not JSON text. Unsupported values (undefined, a Date, a bigint, a promise, an
 * inexact number) throw TypeError at the call. The session's time zone is UTC. Every wait has a
 * deadline (`deadlines.ts`). A connection that fails to open, is lost, or times out throws
 * `DatabaseAway`, which says whether a write may have been committed.
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const terms: ConnectionTerms = {
    url,
    applicationName: options.applicationName,
    tls: options.tls ?? null,
    prepare: options.prepare ?? true,
    readOnly: options.readOnly ?? false,
    onNotice: options.onnotice ?? (() => {}),
  };
  const pool = new Pool(terms, options.max ?? 10);
  const layout = oneServer();
  const runner = new PoolRunner(pool, options.waitMs ?? deadlines.poolMs, layout);
  const listeners: (() => Promise<void>)[] = [];

  function begin<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  function begin<R>(options: string, work: (transaction: Transaction) => Promise<R>): Promise<R>;
  function begin<R>(
    first: string | ((transaction: Transaction) => Promise<R>),
    second?: (transaction: Transaction) => Promise<R>,
  ): Promise<R> {
    if (typeof first !== 'string') return runner.begin('', first);
    if (!second) throw new TypeError('A transaction needs something to do.');
    return runner.begin(first, second);
  }

  return Object.assign(queryableOf(runner, layout), {
    begin,
    room: () => pool.room,
    async listen(topics: Topics): Promise<void> {
      const { first, close } = openListener(terms, topics);
      listeners.push(close);
      await first;
    },
    async end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
      await Promise.all([pool.end(timeout * 1_000), ...listeners.map((close) => close())]);
    },
  });
}
