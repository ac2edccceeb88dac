import type { Queryable } from '../../platform/postgres/connect.ts';

interface Counted {
  id: number;
  payouts: number;
  total: number;
}

/**
 * Checks that each bank file records the number and sum of its payouts and the reference in its
 * event, and that each payout names an existing file, if any.
 */
export async function checkPayoutFiles(sql: Queryable): Promise<string[]> {
  const files = await sql<(Counted & { named: boolean })[]>`
    select f.id, f.payouts, f.total, coalesce(made.data->>'reference' = f.reference, false) as named
    from payout_files f
    left join operator_events made on made.entity = 'payout_file'
      and made.entity_id = f.id::text and made.type = 'payout_file.made'`;
  const contents = await sql<Counted[]>`
    select t.file_id as id, count(*)::int as payouts, sum(p.amount)::bigint as total
    from payout_transfers t
    join payouts p on p.account_id = t.account_id and p.id = t.payout_id
    where t.file_id is not null group by t.file_id`;
  const inside = new Map(contents.map((one) => [one.id, one]));
  const known = new Set(files.map(({ id }) => id));
  const wrong = files.filter(({ id, payouts, total, named }) => {
    const found = inside.get(id);
    return found?.payouts !== payouts || found.total !== total || !named;
  });
  return [
    ...wrong.map(({ id }) => `payout file ${id} does not match its payouts`),
    ...contents
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `payouts name payout file ${id}, which does not exist`),
  ];
}

/**
 * Checks that each payout has a transfer, which waits for a file or is in one, and that each
 * transfer has its payout.
 */
export async function checkTransfers(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    select coalesce(p.id, t.payout_id) as id
    from (select * from payouts where account_id = ${accountId}) p
    full join (select * from payout_transfers where account_id = ${accountId}) t
      on t.payout_id = p.id
    where p.id is null or t.payout_id is null
    order by 1 limit 100`;
  return rows.map(({ id }) => `payout ${id} and its transfer do not match`);
}
