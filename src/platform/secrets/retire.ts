import type { Clock } from '../clocks.ts';
import type { Sql } from '../postgres/connect.ts';
import type { Sweep } from '../sweeps.ts';
import { keysChangedTopic } from './ring.ts';
import { type KeyPurpose, nextLook, postponeLook, readLookedAt, retireKeys } from './store.ts';

/**
 * Until when something lives that was made with a key, or when to ask again; null: nothing does.
 * `madeBefore` is of the business clock, a day after the key was replaced.
 */
export type LivesUntil = (
  key: { no: number; madeBefore: Temporal.Instant },
  now: Temporal.Instant,
) => Promise<Temporal.Instant | null>;

/** Erases replaced keys when everything that was made with them has ended. */
export const retireSweep = (
  sql: Sql,
  wall: Clock,
  livesUntil: Record<KeyPurpose, LivesUntil>,
): Sweep => ({
  name: 'keys retired',
  nextDue: () => nextLook(sql),
  async run(now) {
    let retired = 0;
    for (const { purpose, no, replaced_at } of await readLookedAt(sql, now)) {
      const madeBefore = (replaced_at ?? now).add({ hours: 24 });
      const until = await livesUntil[purpose]({ no, madeBefore }, now);
      if (until !== null && Temporal.Instant.compare(until, now) > 0) {
        await postponeLook(sql, { purpose, no }, until);
        continue;
      }
      retired += (await retireKeys(sql, { purpose, from: no, upTo: no }, wall.now())).length;
    }
    if (retired > 0) await sql`select pg_notify(${keysChangedTopic}, '')`;
    return retired;
  },
});
