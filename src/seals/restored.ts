import type { Sql, Transaction } from '../platform/postgres/connect.ts';
import { type Evidence, touchedRows, waitingFor } from './evidence.ts';
import { holdChains, type Sealer } from './seal.ts';
import { readWindow } from './window.ts';

/**
 * Events that no seal holds, whatever their transactions are called: their numbers say nothing
 * where a database was restored into another cluster.
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

/**
 * Goes on in another cluster, where transactions have lower numbers than those up to which the
 * database was sealed before it was restored there: seals what no seal holds yet, exactly once, and
 * follows the numbers of this cluster from then on. Events of before, whose numbers are yet to come
 * here, are told from new ones by their ids, which a sequence that was restored too never repeats.
 */
export async function sealRestored(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
): Promise<void> {
  const accounts = await sql<{ account_id: string }[]>`
    select account_id from events union select account_id from operator_events order by 1`;
  await sql.begin(async (tx) => {
    const [mark] = await tx<{ from: number }[]>`
      select next_xid as from from seal_marks where account_id = '' for update`;
    const window = await readWindow(tx);
    // Somebody else did it meanwhile.
    if (!mark || mark.from <= window.next) return;
    const { before, next } = window;
    for (const { account_id: accountId } of accounts) {
      const chains = await holdChains(tx, sealer, [accountId]);
      // What is being written just now is sealed by its number, from `before` on.
      const condition = tx`(xid < ${before} or xid >= ${next}) and ${unsealed(tx, accountId)}`;
      for (const evidence of evidences) {
        if (waitingFor(evidence) !== null) continue;
        await chains.seal(evidence.kind, touchedRows(tx, evidence, [accountId], condition));
      }
      await tx`
        insert into seal_marks (account_id, next_xid) values (${accountId}, ${before})
        on conflict (account_id) do update set next_xid = excluded.next_xid`;
    }
    await tx`
      update seal_marks set next_xid = ${before}, restored_id = greatest(
        (select coalesce(max(id), 0) from events where xid >= ${next}),
        (select coalesce(max(id), 0) from operator_events where xid >= ${next}), restored_id)
      where account_id = ''`;
  });
}
