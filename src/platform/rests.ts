import type { Base } from './base.ts';
import { paysForLooks } from './postgres/distributed/engine.ts';
import { lookAtReach } from './postgres/distributed/reach.ts';

/** Time after the last change during which polls stay frequent. */
const awakeMs = 3_000;
/** Polls of several loops within this time share one query. */
const seenForMs = 100;

/** Result of a poll: milliseconds until the next work, or null if there is none. */
export class NextLook {
  readonly inMs: number | null;

  constructor(inMs: number | null) {
    this.inMs = inMs;
  }
}

/** Polls for work and does it. */
export type Look = (signal: AbortSignal) => Promise<unknown>;

/**
 * Skips polls for work on a distributed database, where each costs a command per shard. Every write
 * records an event with a number from the coordinator, so polls pause while its transactions are
 * unchanged. They pause for at most `longestMs`, because some work falls due with time, and some
 * comes from writes to one node. On a single server, nothing is skipped.
 */
export function createRests({ sql, clocks }: Pick<Base, 'sql' | 'clocks'>) {
  const { nowMs } = clocks.wall;
  let seen: string | null = null;
  let movedAtMs = 0;
  let lookup: { atMs: number; moved: Promise<number> } | null = null;

  const ask = async (): Promise<number> => {
    const [row] = await sql<{ now: string }[]>`select pg_current_snapshot()::text as now`;
    if (row && row.now !== seen) {
      seen = row.now;
      movedAtMs = nowMs();
    }
    return movedAtMs;
  };
  const lastMoved = (): Promise<number> => {
    if (lookup === null || nowMs() - lookup.atMs >= seenForMs)
      lookup = { atMs: nowMs(), moved: ask() };
    return lookup.moved;
  };

  return (longestMs: number, look: Look) => {
    let wakesAtMs = 0;
    return async (signal: AbortSignal): Promise<void> => {
      const beganMs = nowMs();
      const isRest =
        paysForLooks(sql) && beganMs < wakesAtMs && (await lastMoved()) + awakeMs < beganMs;
      if (isRest) return;
      // Retry a failed poll, whatever the previous one found.
      wakesAtMs = 0;
      await lookAtReach(sql, nowMs);
      const again = await look(signal);
      const wishedMs = again instanceof NextLook ? again.inMs : null;
      wakesAtMs = beganMs + Math.min(longestMs, wishedMs ?? longestMs);
    };
  };
}
