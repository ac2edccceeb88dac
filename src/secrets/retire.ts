import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { tellAll } from '../platform/postgres/broadcast.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { keysChangedTopic } from './ring.ts';
import {
  type KeyPurpose,
  nextLook,
  noteKey,
  postponeLook,
  readLookedAt,
  retireKeys,
} from './store.ts';

/**
 * Returns the expiry of the last item made with a key, or when to check again, or null if none is
 * left. `madeBefore` is on the business clock, a day after the key was replaced.
 */
export type LivesUntil = (
  key: { no: number; madeBefore: Temporal.Instant },
  now: Temporal.Instant,
) => Promise<Temporal.Instant | null>;

/** Erases replaced keys once everything made with them has expired. */
export const retireSweep = (
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  livesUntil: Record<KeyPurpose, LivesUntil>,
): Sweep => ({
  name: 'keys retired',
  nextDue: () => nextLook(base.sql),
  async run(now) {
    const { sql, clocks, recordIds } = base;
    let retired = 0;
    for (const { purpose, no, replaced_at } of await readLookedAt(sql, now)) {
      const madeBefore = (replaced_at ?? now).add({ hours: 24 });
      const until = await livesUntil[purpose]({ no, madeBefore }, now);
      if (until !== null && Temporal.Instant.compare(until, now) > 0) {
        await postponeLook(sql, { purpose, no }, until);
        continue;
      }
      const eventId = await recordIds.next();
      retired += await sql.begin(async (tx) => {
        const gone = await retireKeys(tx, { purpose, from: no, upTo: no }, clocks.wall.now());
        if (gone.length === 0) return 0;
        const actor = system;
        await noteKey(tx, { clocks, actor }, { eventId, purpose, no, change: 'retired' });
        return gone.length;
      });
    }
    if (retired > 0) await tellAll(sql, keysChangedTopic);
    return retired;
  },
});
