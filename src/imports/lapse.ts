import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachAccount } from '../platform/each-account.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { ImportKey } from './import.ts';
import { noteImport } from './note.ts';
import { moveImport } from './store.ts';
import { dropFile } from './store-files.ts';
import { dropPages } from './store-pages.ts';

/**
 * Days until an undecided draft expires. Its file may contain personal data outside the matched
 * columns.
 */
export const draftDays = 30;

const atOnce = 100;
const lifetime = { hours: 24 * draftDays };

async function oldestDraft(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(created_at) as at from imports where state = 'draft' ${withinReach(sql)}`;
  return row?.at ?? null;
}

const lapsedDrafts = (sql: Queryable, until: Temporal.Instant) =>
  sql<{ account_id: string; id: number }[]>`
    select account_id, id from imports
    where state = 'draft' and created_at <= ${until}::timestamptz ${withinReach(sql)}
    order by created_at limit ${atOnce}`;

/** Discards drafts that were not decided in time, with their file and rows. */
export function draftSweep(base: Base): Sweep {
  const { sql, recordIds } = base;

  const discard = async (key: ImportKey): Promise<boolean> => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const moved = await moveImport(tx, key, 'discard');
      // Another process decided it.
      if (!moved) return false;
      await dropFile(tx, key);
      await dropPages(tx, key);
      const data = { undecided_days: draftDays };
      await noteImport(tx, base, moved, { event: 'discarded', actor: system, eventId, data });
      return true;
    });
  };

  return {
    name: 'drafts of imports discarded',
    nextDue: async () => (await oldestDraft(sql))?.add(lifetime) ?? null,
    async run(now) {
      let discarded = 0;
      const lapsed = await lapsedDrafts(sql, now.subtract(lifetime));
      const how = { atOnce: 1, failed: 'Some drafts of imports could not be discarded.' };
      await eachAccount(lapsed, how, async ({ account_id: accountId, id }) => {
        if (await discard({ accountId, id })) discarded += 1;
      });
      return discarded;
    },
  };
}
