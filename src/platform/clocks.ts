import { dayOf, midnightOf } from '../kernel/dates.ts';
import type { Log } from './log.ts';
import { tellAll } from './postgres/broadcast.ts';
import type { Sql } from './postgres/connect.ts';
import { serverTime } from './postgres/server-clock.ts';

export interface Clock {
  now(): Temporal.Instant;
  /** Returns milliseconds since the epoch. Cheaper than `now`, for code that every call runs. */
  nowMs(): number;
}

/** The clock for due dates and money. The sandbox can move it forward. */
export interface BusinessClock extends Clock {
  /** Returns the Argentine day (UTC-3). */
  today(): Temporal.PlainDate;
}

/** The only source of time in the service (docs/explanation/architecture.md, "Two clocks"). */
export interface Clocks {
  business: BusinessClock;
  wall: Clock;
}

/** A process's clocks. Keeps the business clock equal in all processes. */
export interface ServiceClocks extends Clocks {
  /** Reloads the business clock's offset, and compares the wall clock with the database's. */
  refresh(): Promise<void>;
  /**
   * Returns false if the wall clock and the database's were over five minutes apart at the last
   * `refresh`.
   */
  agree(): boolean;
  /** Moves the business clock forward to an instant, in every process. Never moves it back. */
  moveTo(moment: Temporal.Instant): Promise<void>;
  /** Waits until every process has the current business clock, for up to a second. */
  seenByAll(): Promise<void>;
}

export const clockMovedTopic = 'recaudo_clock_moved';

export const wallClock: Clock = { now: () => Temporal.Now.instant(), nowMs: () => Date.now() };

const dayMs = 24 * 60 * 60 * 1000;

/** Caches a clock's day, because every call needs it. */
function todayOf(nowMs: () => number): () => Temporal.PlainDate {
  let day = Temporal.PlainDate.from('1970-01-01');
  let fromMs = Number.POSITIVE_INFINITY;
  return () => {
    const ms = nowMs();
    if (ms < fromMs || ms >= fromMs + dayMs) {
      day = dayOf(Temporal.Instant.fromEpochMilliseconds(ms));
      fromMs = midnightOf(day).epochMilliseconds;
    }
    return day;
  };
}

/** Rounds up, because the clock must not stop just before due work. */
const millisecondsUpTo = ({ epochMilliseconds, epochNanoseconds }: Temporal.Instant): number =>
  epochNanoseconds > BigInt(epochMilliseconds) * 1_000_000n
    ? epochMilliseconds + 1
    : epochMilliseconds;

/** Maximum difference between this machine's clock and the database's. */
const mostApartMs = 5 * 60_000;

/** Compares the wall clock with the database's. Logs when they drift apart or agree again. */
function comparisonOf(log: Log | null) {
  let agree = true;
  return {
    agree: () => agree,
    /** `fromMs` and `toMs` are the times before the query and after it. */
    compare(databaseMs: number, fromMs: number, toMs: number): void {
      const apartMs = Math.max(0, fromMs - databaseMs, databaseMs - toMs);
      const wereAgreed = agree;
      agree = apartMs <= mostApartMs;
      if (agree === wereAgreed) return;
      if (agree) log?.info('the clocks of this machine and the database agree again');
      else log?.error({ apartMs }, 'the clocks of this machine and the database are apart');
    },
  };
}

export async function createClocks(sql: Sql, log: Log | null = null): Promise<ServiceClocks> {
  let aheadMs = 0;
  const { agree, compare } = comparisonOf(log);

  const refresh = async (): Promise<void> => {
    const fromMs = wallClock.nowMs();
    const [row] = await sql<{ ahead_ms: number; at: Temporal.Instant }[]>`
      select ahead_ms, ${serverTime(sql)} as at from clock`;
    aheadMs = Math.max(aheadMs, row?.ahead_ms ?? 0);
    if (row) compare(row.at.epochMilliseconds, fromMs, wallClock.nowMs());
  };

  const nowMs = (): number => wallClock.nowMs() + aheadMs;
  const business: BusinessClock = {
    now: () => Temporal.Instant.fromEpochMilliseconds(nowMs()),
    nowMs,
    today: todayOf(nowMs),
  };

  const moveTo = async (moment: Temporal.Instant): Promise<void> => {
    const delayMs = millisecondsUpTo(moment) - wallClock.nowMs();
    const [row] = await sql<{ ahead_ms: number }[]>`
      update clock set ahead_ms = greatest(ahead_ms, ${delayMs}::bigint) returning ahead_ms`;
    aheadMs = Math.max(aheadMs, row?.ahead_ms ?? 0);
    await sql`select pg_notify(${clockMovedTopic}, '')`;
  };

  await refresh();
  const seenByAll = (): Promise<void> => tellAll(sql, clockMovedTopic);
  return { business, wall: wallClock, refresh, agree, moveTo, seenByAll };
}
