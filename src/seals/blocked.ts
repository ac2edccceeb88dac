import type { Clock } from '../platform/clocks.ts';
import type { Log } from '../platform/log.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { readWindow } from './window.ts';

/** The service's own transactions end much sooner. */
const warnAfterMs = 600_000;

/**
 * Warns about transactions, of any client, that block sealing: while one is open, or was prepared
 * and forgotten, it may still commit earlier events. Reports each once, after ten minutes.
 */
export function watchBlockedSeals(sql: Queryable, wall: Clock, log: Log): () => Promise<void> {
  let oldest = { no: 0, sinceMs: 0, isReported: false };
  return async () => {
    const { before, next } = await readWindow(sql);
    const nowMs = wall.nowMs();
    // The oldest open transaction blocks only if a later one has ended.
    const isSame = before === oldest.no && before < next;
    if (!isSame) oldest = { no: before, sinceMs: nowMs, isReported: false };
    if (oldest.isReported || nowMs - oldest.sinceMs < warnAfterMs) return;
    oldest.isReported = true;
    log.warn(
      { transaction: before },
      'a transaction on the database server has been open for ten minutes: later writes are sealed only after it ends',
    );
  };
}
