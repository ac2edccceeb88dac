import { midnightOf } from '../../kernel/dates.ts';
import { partsOf } from '../../kernel/lists.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { accountsAtOnce } from '../../platform/postgres/distributed/engine.ts';
import { alsoOwnedBy } from '../../platform/postgres/distributed/owners.ts';
import { localDay } from '../../platform/postgres/local-time.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { sealedAccounts } from '../keys-sealed.ts';
import type { Anchor } from './line.ts';

/** Accounts per statement. */
const drawnAtOnce = 1_000;

/**
 * Creates the missing lines of all days before `today`, each with an account's last seal of the
 * day. Lines never change: a seal that a concurrent sealer commits later belongs to the next day's
 * line, so none is lost.
 */
export async function drawAnchors(sql: Queryable, today: Temporal.PlainDate): Promise<void> {
  const rows = await sql<{ account_id: string }[]>`
    select account_id from ${sealedAccounts(sql)} order by account_id`;
  const accountIds = rows.map((row) => row.account_id);
  const atOnce = accountsAtOnce(sql, drawnAtOnce);
  for (const some of partsOf(accountIds, atOnce)) await drawSome(sql, some, today);
}

/**
 * Creates the missing lines of some accounts. Reads only the seals after each account's last line.
 */
const drawSome = (sql: Queryable, accountIds: readonly string[], today: Temporal.PlainDate) => sql`
  insert into anchors (account_id, day, seal_no, hash)
  select distinct on (account_id, day) account_id, day, no, hash from (
    select drawn.account_id, l.no, l.hash,
      greatest(${localDay(sql, sql`l.sealed_at`)}, drawn.day + 1) as day
    from (
      select given.account_id, max(d.day) as day, coalesce(max(d.seal_no), 0) as no
      from unnest(${[...accountIds]}::text[]) as given (account_id)
      left join anchors d on d.account_id = given.account_id ${alsoOwnedBy(sql, 'd', accountIds)}
      group by given.account_id
    ) as drawn
    cross join lateral (
      select no, hash, sealed_at from seal_links
      where account_id = drawn.account_id ${alsoOwnedBy(sql, 'seal_links', accountIds)}
        and no > drawn.no and sealed_at < ${midnightOf(today)}::timestamptz
      offset 0
    ) as l
  ) as sealed
  where day < ${today}::date
  order by account_id, day, no desc
  on conflict (account_id, day) do nothing`;

interface UnsentRow extends Pick<Anchor, 'day' | 'hash'> {
  account_id: string;
  seal_no: number;
}

/**
 * Returns the unsent anchors of the first unsent day, in order, so that retries send identical
 * batches.
 */
export async function readUnsent(sql: Queryable, atOnce: number): Promise<Anchor[]> {
  const rows = await sql<UnsentRow[]>`
    select account_id, day, seal_no, encode(hash, 'hex') as hash
    from anchors
    where sent_at is null and day = (select min(day) from anchors where sent_at is null)
    order by account_id limit ${atOnce}`;
  return rows.map(({ account_id: accountId, seal_no: sealNo, ...row }) => ({
    ...row,
    accountId,
    sealNo,
  }));
}

/** Returns the end of the first day with an unsent anchor, or null if all are sent. */
export async function oldestUnsent(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ day: Temporal.PlainDate | null }[]>`
    select min(day) as day from anchors where sent_at is null`;
  return row?.day ? midnightOf(row.day.add({ days: 1 })) : null;
}

export async function noteSent(
  sql: Queryable,
  anchors: readonly Anchor[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update anchors a set sent_at = ${now}::timestamptz
    from ${recordset(sql, 'sent (account_id text, day date)', anchors)}
    where a.account_id = sent.account_id and a.day = sent.day`;
}

/** Returns the stored links of anchored seals, by account and number. Omits missing seals. */
export async function readLinks(
  sql: Queryable,
  anchors: readonly Anchor[],
): Promise<Map<string, string>> {
  const rows = await sql<{ account_id: string; no: number; hash: string }[]>`
    select l.account_id, l.no, encode(l.hash, 'hex') as hash
    from ${recordset(
      sql,
      'wanted (account_id text, no bigint)',
      anchors.map((one) => ({ ...one, no: one.sealNo })),
    )}
    join seal_links l using (account_id, no)`;
  return new Map(rows.map(({ account_id, no, hash }) => [`${account_id} ${no}`, hash]));
}
