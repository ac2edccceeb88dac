import { createHash } from 'node:crypto';
import type postgres from 'postgres';
import type { TlsTerms } from './address.ts';
import { postgres as openPool } from './driver.ts';
import { guard } from './guard.ts';
import { driverTypes } from './wire.ts';

/**
 * What may be a parameter besides null, boolean, number, string, bytes and arrays of these. Plain
 * objects are for `::json` and `::jsonb`.
 */
interface ParameterTypes extends Record<string, unknown> {
  date: Temporal.PlainDate;
  timestamptz: Temporal.Instant;
  json: object;
}

/** A pool of connections. */
export type Sql = postgres.Sql<ParameterTypes>;
/** What `sql.begin` gives to its callback: one connection inside a transaction. */
export type Transaction = postgres.TransactionSql<ParameterTypes>;
/** Either: for functions that run statements and do not care where. */
export type Queryable = postgres.ISql<ParameterTypes>;

export interface ConnectOptions {
  /** Most connections; 10 unless told. */
  max?: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** How connections are encrypted; unset: they are not. */
  tls?: TlsTerms | null;
  /** Called with each notice of the server; without it they are dropped. */
  onnotice?: (notice: { [field: string]: string }) => void;
}

/**
 * How long a lost connection waits before it is opened again. The driver counts the losses of the
 * whole pool since a connection was last opened, so its own (three times as long after each) would
 * leave a pool of ten without any for up to 20 seconds after the server was gone for one.
 */
function reconnectSeconds(losses: number): number {
  return Math.min(1, losses / 50) * (0.5 + Math.random() / 2);
}

/**
 * Opens a pool; no connection is made before the first statement.
 *
 * Results: int8 → number (RangeError beyond 2^53), numeric → string, date → Temporal.PlainDate,
 * timestamptz → Temporal.Instant, timestamp → string, json and jsonb → `parseJson`, and arrays of
 * these with nulls. Parameters take the type that the statement gives them, so cast what could be
 * several: `${days}::date[]`. A string for `::json` is a JSON string, not JSON text. What cannot be
 * sent (undefined, a Date, a bigint, a promise, a number that is not exact) throws TypeError at
 * the call. The session's time zone is UTC.
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const sql = openPool(url, {
    max: options.max ?? 10,
    // All array types that we use are listed in wire.ts, so no query for them at each connection.
    fetch_types: false,
    ssl: options.tls ?? false,
    backoff: reconnectSeconds,
    onnotice: options.onnotice ?? (() => {}),
    connection: { application_name: options.applicationName, TimeZone: 'UTC', DateStyle: 'ISO' },
    types: driverTypes(),
  });
  return guard(sql) as unknown as Sql;
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
 * lock's connection is lost the call fails, though `run` may still be going on.
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
  return { take, next: async () => (await take(1))[0] as number };
}
