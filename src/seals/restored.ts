import { eachAccount } from '../platform/each-account.ts';
import { withAdvisoryLock } from '../platform/postgres/advisory-lock.ts';
import type { Sql, Transaction } from '../platform/postgres/connect.ts';
import { type Evidence, touchedRows, waitingFor } from './evidence.ts';
import { holdChains, type Sealer } from './seal.ts';
import { readWindow } from './window.ts';

/**
 * Selects unsealed events by id, because transaction numbers mean nothing after a restore into
 * another cluster.
 */
const unsealed = (tx: Transaction, accountId: string) => tx`
  id in (
    select e.id from (
      select id, 'event' as kind, concat_ws('|', entity, entity_id, version) as key from events
      where account_id = ${accountId}
      union all
      select id, 'operator''s event', id::text from operator_events
      where account_id = ${accountId}
    ) as e
    left join (
      select kind, unnest(keys) as key from seals
      where account_id = ${accountId} and kind in ('event', 'operator''s event')
    ) as sealed using (kind, key)
    where sealed.key is null
  )`;

/** State of a restored database when the sealer found it. */
interface Restored {
  /** All transactions of this cluster below this number have ended. */
  before: number;
  /** Id of the last restored event whose transaction number is ahead of this cluster's, or 0. */
  lastId: number;
}

/**
 * While restored rows are being sealed, the stored number stays this far ahead of the cluster's,
 * which marks the database as restored. A cluster never runs as many transactions meanwhile.
 */
const farAhead = 2 ** 40;

/**
 * Stores the highest id of the restored events, and keeps the database marked as restored. Returns
 * null if another process has sealed it meanwhile. Reads the transaction numbers after the snapshot
 * of the events: all of this cluster's writes in it then have numbers below `next`, so none is
 * mistaken for a restored event.
 */
const meetRestored = (sql: Sql): Promise<Restored | null> =>
  sql.begin('isolation level repeatable read', async (tx) => {
    const [mark] = await tx<{ from: number }[]>`
      select next_xid as from from seal_marks where account_id = ''`;
    const { before, next } = await readWindow(sql);
    if (!mark || mark.from <= next) return null;
    const [row] = await tx<{ id: number }[]>`
      update seal_marks set next_xid = greatest(next_xid, ${next + farAhead}::bigint),
        restored_id = greatest(
          (select max(id) from events where xid >= ${next}),
          (select max(id) from operator_events where xid >= ${next}), restored_id)
      where account_id = '' returning restored_id as id`;
    return { before, lastId: row?.id ?? 0 };
  });

const isOfEvents = ({ touched }: Evidence): boolean =>
  typeof touched !== 'string' && 'themselves' in touched;

/** Puts events after the rows that they affect, because an event's own seal marks it as sealed. */
const eventsLast = (evidences: readonly Evidence[]): Evidence[] =>
  evidences.toSorted((one, other) => Number(isOfEvents(one)) - Number(isOfEvents(other)));

/** Seals an account's unsealed rows, up to the position at which normal sealing continues. */
const sealAccount = (
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
  accountId: string,
  { before, lastId }: Restored,
): Promise<void> =>
  sql.begin(async (tx) => {
    const chains = await holdChains(tx, sealer, [accountId]);
    // Concurrent writes are sealed by their numbers, from `before` on.
    const condition = tx`(xid < ${before} or id <= ${lastId}) and ${unsealed(tx, accountId)}`;
    for (const evidence of eventsLast(evidences)) {
      if (waitingFor(evidence) !== null) continue;
      await chains.seal(evidence.kind, touchedRows(tx, evidence, [accountId], condition));
    }
    await tx`
      insert into seal_marks (account_id, next_xid) values (${accountId}, ${before})
      on conflict (account_id) do update set next_xid = excluded.next_xid`;
  });

/**
 * Continues sealing in another cluster, whose transaction numbers are lower than those before the
 * restore. Seals the unsealed rows once, then follows this cluster's numbers. Recognizes old events
 * by their ids, because the id sequence was restored too and never repeats. Handles one account at
 * a time, since the server may lack room for all locks. Restarts after an interruption and skips
 * sealed rows.
 */
export async function sealRestored(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
): Promise<void> {
  const alone = { mode: 'exclusive', wait: false } as const;
  await withAdvisoryLock(sql, 'recaudo seals of a restored database', alone, async () => {
    const restored = await meetRestored(sql);
    if (!restored) return;
    // Read accounts after the numbers, so that a concurrent first writer has events from `before`
    // on.
    const accounts = await sql<{ account_id: string }[]>`
      select account_id from events union select account_id from operator_events order by 1`;
    await eachAccount(
      accounts.map((row) => row.account_id),
      { atOnce: 1, failed: 'Some accounts could not be sealed.' },
      (accountId) => sealAccount(sql, sealer, evidences, accountId, restored),
    );
    await sql`update seal_marks set next_xid = ${restored.before} where account_id = ''`;
  });
}
