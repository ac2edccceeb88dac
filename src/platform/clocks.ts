import { dayOf } from '../kernel/dates.ts';
import type { Sql } from './postgres/connect.ts';

export interface Clock {
  now(): Temporal.Instant;
}

/** The business clock decides what a day means to money; the sandbox can move it. */
export interface BusinessClock extends Clock {
  /** The Argentine day (UTC-3). */
  today(): Temporal.PlainDate;
}

/** Decisions 1, "Two clocks": nothing else in the service reads the time. */
export interface Clocks {
  business: BusinessClock;
  wall: Clock;
}

/** The clocks of a process, and what keeps the business clock equal in all of them. */
export interface ServiceClocks extends Clocks {
  /** Reads again how far ahead the business clock is; called when another process moved it. */
  refresh(): Promise<void>;
  /** Moves the business clock forward to a moment, for every process; never back. */
  moveTo(moment: Temporal.Instant): Promise<void>;
}

export const clockMovedTopic = 'recaudo_clock_moved';

export const wallClock: Clock = { now: () => Temporal.Now.instant() };

export async function openClocks(sql: Sql): Promise<ServiceClocks> {
  let aheadMs = 0;

  const refresh = async (): Promise<void> => {
    const [row] = await sql<{ ahead_ms: number }[]>`select ahead_ms from clock`;
    aheadMs = Math.max(aheadMs, row?.ahead_ms ?? 0);
  };

  const business: BusinessClock = {
    now: () => wallClock.now().add({ milliseconds: aheadMs }),
    today: () => dayOf(business.now()),
  };

  const moveTo = async (moment: Temporal.Instant): Promise<void> => {
    const wanted = moment.epochMilliseconds - wallClock.now().epochMilliseconds;
    const [row] = await sql<{ ahead_ms: number }[]>`
      update clock set ahead_ms = greatest(ahead_ms, ${wanted}::bigint) returning ahead_ms`;
    aheadMs = Math.max(aheadMs, row?.ahead_ms ?? 0);
    await sql`select pg_notify(${clockMovedTopic}, '')`;
  };

  await refresh();
  return { business, wall: wallClock, refresh, moveTo };
}
