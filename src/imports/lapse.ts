import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachAccount } from '../platform/each-account.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { writeDecision } from './decide.ts';
import { type ImportKey, keyOf } from './import.ts';
import { dropRows, readImport } from './store.ts';

/**
 * Days until an undecided draft expires. Its file may contain personal data outside the matched
 * columns.
 */
export const draftDays = 30;

const atOnce = 100;
const lifetime = { hours: 24 * draftDays };

/** Pause between searches for discarded imports with rows. A search reads all discarded imports. */
const searchEveryMs = 3_600_000;

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

/** Finds discarded imports with rows. Older releases leave them, also during an upgrade. */
const discardedWithRows = (sql: Queryable, most: number) =>
  sql<{ account_id: string; id: number }[]>`
    select i.account_id, i.id from imports i
    left join import_pages p on p.account_id = i.account_id and p.import_id = i.id and p.no = 0
    where i.state = 'discarded' and (p.no is not null or i.way like '%"top":[[%')
      ${withinReach(sql, 'account_id', 'i')}
    limit ${most}`;

/** Discards drafts that were not decided in time, with their file and rows. */
export function draftSweep(base: Base): Sweep {
  const { sql, clocks, recordIds } = base;
  let searchAtMs = 0;

  const discard = async (key: ImportKey): Promise<boolean> => {
    const eventId = await recordIds.next();
    const data = { undecided_days: draftDays };
    const decision = { move: 'discard', actor: system, eventId, data } as const;
    // Null if it was decided in the meantime.
    return (await sql.begin((tx) => writeDecision(tx, base, key, decision))) !== null;
  };

  const dropLeft = (key: ImportKey): Promise<boolean> =>
    sql.begin(async (tx) => {
      const left = await readImport(tx, key);
      if (left) await dropRows(tx, left);
      return left !== null;
    });

  return {
    name: 'drafts of imports discarded',
    async nextDue() {
      if (clocks.wall.nowMs() >= searchAtMs) {
        const [left] = await discardedWithRows(sql, 1);
        if (left) return clocks.business.now();
        searchAtMs = clocks.wall.nowMs() + searchEveryMs;
      }
      return (await oldestDraft(sql))?.add(lifetime) ?? null;
    },
    async run(now) {
      let discarded = 0;
      const lapsed = await lapsedDrafts(sql, now.subtract(lifetime));
      const left = await discardedWithRows(sql, atOnce);
      const due = [
        ...lapsed.map((one) => ({ ...one, end: discard })),
        ...left.map((one) => ({ ...one, end: dropLeft })),
      ];
      const how = { atOnce: 1, failed: 'Some drafts of imports could not be discarded.' };
      await eachAccount(due, how, async ({ account_id, id, end }) => {
        if (await end(keyOf({ account_id, id }))) discarded += 1;
      });
      return discarded;
    },
  };
}
