// Longer than 300 lines: the façade of the driver, its locks and its blocks of ids.
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { QueryResultRow } from 'pg';
import { itemAt } from '../../kernel/lists.ts';
import { DatabaseAway } from '../errors.ts';
import type { TlsTerms } from './address.ts';
import type { ConnectionTerms } from './connection.ts';
import { currentErrand, deadlines, statementMs } from './deadlines.ts';
import { openListener } from './listener.ts';
import { Pool } from './pool.ts';
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

/** What runs statements: for functions that do not care whether in a transaction. */
export interface Queryable {
  /** The quoted name of a table or column, as a part of a statement. */
  (name: string): Identifier;
  /** A statement, or a part of one; what stands in `${}` becomes a parameter. */
  <T extends Rows = QueryResultRow[]>(
    pieces: TemplateStringsArray,
    ...values: readonly (Parameter | Identifier | Statement<Rows> | readonly Statement<Rows>[])[]
  ): Statement<T>;
  /** Text as it is. Without parameters it may be several statements. */
  unsafe<T extends Rows = QueryResultRow[]>(
    text: string,
    parameters?: readonly Parameter[],
    options?: { prepare?: boolean },
  ): Statement<T>;
}

/** What `sql.begin` gives to its callback: one connection inside a transaction. */
export interface Transaction extends Queryable {
  /** Tells it from a pool, for functions that need a transaction. */
  readonly inTransaction: true;
}

/** A pool of connections. */
export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction. It is committed when `work` is done, and undone when that throws
   * or any of its statements failed.
   */
  begin<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  begin<R>(options: string, work: (transaction: Transaction) => Promise<R>): Promise<R>;
  /**
   * Calls a topic's function at each of its notifications, and after each time that the connection
   * for them was opened, since some may have been missed. Rejects if the first try fails; tries go
   * on until `end`.
   */
  listen(topics: Readonly<Record<string, () => void>>): Promise<void>;
  /** Closes the pool: waits so many seconds (5 unless told) for those who use it, then hangs up. */
  end(options?: { timeout?: number }): Promise<void>;
}

export interface ConnectOptions {
  /** Most connections; 10 unless told. */
  max?: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** How connections are encrypted; unset: they are not. */
  tls?: TlsTerms | null;
  /** Called with each notice of the server; without it they are dropped. */
  onnotice?: (notice: { message: string | undefined }) => void;
  /** Whether statements are prepared by name; true unless told. */
  prepare?: boolean;
}

/** Runs each statement on a connection of the pool, which is free again afterwards. */
class PoolRunner implements Runner {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async run(statement: Sendable): Promise<Result> {
    const connection = await this.#pool.acquire(Math.min(deadlines.poolMs, statementMs()));
    const { trace } = currentErrand();
    const writes = isWrite(statement.text);
    try {
      const result = await connection.run(statement, statementMs());
      trace.wrote ||= writes;
      return result;
    } catch (error) {
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
    const connection = await this.#pool.acquire(Math.min(deadlines.poolMs, statementMs()));
    const runner = new TransactionRunner(connection);
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

  async begin<R>(options: string, work: (transaction: Transaction) => Promise<R>): Promise<R> {
    const connection = await this.#pool.acquire(Math.min(deadlines.poolMs, statementMs()));
    const runner = new TransactionRunner(connection);
    try {
      await runner.begin(options);
      const result = await work(transactionOf(runner));
      await runner.commit();
      return result;
    } catch (error) {
      throw await runner.rollback(error);
    } finally {
      this.#pool.release(connection);
    }
  }
}

function queryableOf(runner: Runner): Queryable {
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
  return Object.assign(sql, { unsafe });
}

const transactionOf = (runner: TransactionRunner): Transaction =>
  Object.assign(queryableOf(runner), { inTransaction: true } as const);

/**
 * Opens a pool; no connection is made before the first statement.
 *
 * Results: int8 → number (RangeError beyond 2^53), numeric → string, date → Temporal.PlainDate,
 * timestamptz → Temporal.Instant, timestamp → string, json and jsonb → `parseJson`, and arrays of
 * these with nulls. Parameters take the type that the statement gives them, so cast what could be
 * several: `${days}::date[]`. A string for `::json` is a JSON string, not JSON text. What cannot be
 * sent (undefined, a Date, a bigint, a promise, a number that is not exact) throws TypeError at
 * the call. The session's time zone is UTC.
 *
 * Every wait ends (`deadlines.ts`). A connection that cannot be had, is lost, or does not answer in
 * time is `DatabaseAway`, which says whether a write may have been kept.
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const terms: ConnectionTerms = {
    url,
    applicationName: options.applicationName,
    tls: options.tls ?? null,
    prepare: options.prepare ?? true,
    onNotice: options.onnotice ?? (() => {}),
  };
  const pool = new Pool(terms, options.max ?? 10);
  const runner = new PoolRunner(pool);
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

  return Object.assign(queryableOf(runner), {
    begin,
    async listen(topics: Readonly<Record<string, () => void>>): Promise<void> {
      const { first, close } = openListener(terms, topics);
      listeners.push(close);
      await first;
    },
    async end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
      await Promise.all([pool.end(timeout * 1_000), ...listeners.map((close) => close())]);
    },
  });
}

export interface LockOptions {
  mode: 'exclusive' | 'shared';
  /** Wait until the lock is free, or answer null at once when it is not. */
  wait: boolean;
}

/** Lock keys are 64 bits; every release must derive the same ones. */
export function advisoryLockNumber(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE(0).toString();
}

/**
 * Runs `run` while this process holds the named lock, and answers what it answers; null when
 * `wait` is false and the lock is taken. The lock belongs to a transaction on one connection of
 * the pool (so it also works through a pooler) and ends with it, whatever happens to the process.
 * `run` may use that transaction, or the pool, which then needs a second connection. If the
 * lock's connection is lost the call fails once `run` is done; another may hold the lock by then.
 */
export function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  options: LockOptions & { wait: true },
  run: (transaction: Transaction) => Promise<T>,
): Promise<T>;
export function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  options: LockOptions,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T | null>;
export async function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  { mode, wait }: LockOptions,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T | null> {
  const lock = sql.unsafe(
    `pg_${wait ? '' : 'try_'}advisory_xact_lock${mode === 'shared' ? '_shared' : ''}`,
  );
  const result = await sql.begin(async (transaction) => {
    // The transaction is idle while `run` works elsewhere; no server setting may cut that short.
    const [row] = await transaction<{ held: boolean | string }[]>`
      select set_config('idle_in_transaction_session_timeout', '0', true),
        ${lock}(${advisoryLockNumber(key)}::bigint) as held`;
    return row?.held === false ? { value: null } : { value: await run(transaction) };
  });
  return result.value;
}

/** Ids that a process draws from a sequence, a thousand at a time. */
export interface IdBlocks {
  /** So many new ids, ascending. Ids of an answer that was never used are lost, which is fine. */
  take(count: number): Promise<number[]>;
  next(): Promise<number>;
}

const blockSize = 1000;

interface Taker {
  count: number;
  resolve: (ids: number[]) => void;
  reject: (error: unknown) => void;
}

type IdSequence = 'request_ids' | 'record_ids' | 'adhesion_ids' | 'card_adhesion_ids';

/**
 * Hands out ids of a sequence that increments by 1000: each nextval is the first id of a block
 * that belongs to this process. While a refill is under way all callers wait for that one.
 */
export function idBlocks(sql: Sql, sequence: IdSequence): IdBlocks {
  const blocks: { next: number; end: number }[] = [];
  const takers: Taker[] = [];
  let available = 0;
  let refilling = false;
  let verified = false;

  /** A sequence with a smaller step would hand the same ids to two processes. */
  const verifyStep = async (): Promise<void> => {
    const [row] = await sql<{ step: number }[]>`
      select seqincrement as step from pg_sequence where seqrelid = ${sequence}::text::regclass`;
    if (row?.step !== blockSize) {
      throw new Error(`The sequence ${sequence} must increment by ${blockSize}.`);
    }
    verified = true;
  };

  const draw = (count: number): number[] => {
    const ids: number[] = [];
    while (ids.length < count) {
      const block = blocks[0];
      if (block === undefined) throw new Error('an id block is missing');
      while (ids.length < count && block.next < block.end) ids.push(block.next++);
      if (block.next === block.end) blocks.shift();
    }
    available -= count;
    return ids;
  };

  const refill = async (missing: number): Promise<void> => {
    if (!verified) await verifyStep();
    const rows = await sql<{ first: number }[]>`
      select nextval(${sequence}::text::regclass) as first
      from generate_series(1, ${Math.ceil(missing / blockSize)}::int)`;
    for (const { first } of rows) blocks.push({ next: first, end: first + blockSize });
    available += rows.length * blockSize;
  };

  const serve = (): void => {
    for (let head = takers[0]; head !== undefined && head.count <= available; head = takers[0]) {
      takers.shift();
      head.resolve(draw(head.count));
    }
    if (takers.length === 0 || refilling) return;
    refilling = true;
    const missing = takers.reduce((sum, taker) => sum + taker.count, 0) - available;
    refill(missing)
      .catch((error: unknown) => {
        for (const taker of takers.splice(0)) taker.reject(error);
      })
      .finally(() => {
        refilling = false;
        serve();
      });
  };

  const take = (count: number): Promise<number[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    takers.push({ count, resolve, reject });
    serve();
    return promise;
  };
  return { take, next: async () => itemAt(await take(1), 0) };
}
