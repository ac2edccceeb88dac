import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  type Forged,
  keysSealedSince,
  momentText,
  readBegan,
  type SealKeys,
  type Stamped,
  stampedText,
  stampRows,
  withoutStamp,
} from '../../seals/index.ts';
import { arrayText, type Entry, type JournalKind } from './journal.ts';

/** Stamped content of a journal. Omits its day, which the database sets later. */
export interface JournalContent {
  accountId: string;
  id: number;
  kind: JournalKind;
  resultId: number | null;
  requestId: number | null;
  cause: string | null;
  at: Temporal.Instant;
  entry: Entry;
}

const kind = 'journal';

export const stampJournals = (
  sql: Queryable,
  journals: readonly JournalContent[],
): Promise<Buffer[]> =>
  stampRows(
    sql,
    kind,
    journals.map((one) => [
      one.accountId,
      one.id,
      one.kind,
      one.resultId,
      one.requestId,
      one.cause,
      one.at.epochMilliseconds,
      arrayText(one.entry.accounts),
      arrayText(one.entry.amounts),
    ]),
  );

/** Stamps journals. Those sealed since an instant, and pending ones, must have a stamp. */
export const stampedJournals: Stamped = {
  kind,
  from: 'journals',
  name: 't.id',
  columns: [
    't.account_id',
    't.id',
    't.kind',
    't.result_id',
    't.request_id',
    't.cause',
    momentText('t.at'),
    't.accounts',
    't.amounts',
  ],
  due: (sql, accountId, { at }) => sql`(
    t.id::text in (${keysSealedSince(sql, { accountId, kind }, at)})
    or t.id in (select unnest(journal_ids) from balance_deltas where account_id = ${accountId}))`,
};

/**
 * Returns the journals with a missing or wrong stamp. `named` selects the journals to check, as
 * `(account_id, id)`.
 */
export async function forgedAmong(
  sql: Queryable,
  keys: SealKeys,
  named: ReturnType<Queryable>,
): Promise<Forged[]> {
  const isDue = (await readBegan(sql)) !== null;
  const rows = await sql<
    { account_id: string; id: number; digest: Buffer; stamp: Buffer | null; due: boolean }[]
  >`
    select t.account_id, t.id, t.stamp, ${isDue}::boolean as due,
      sha256(convert_to(${sql.unsafe(stampedText(stampedJournals.columns))}, 'UTF8')) as digest
    from (${named}) as named (account_id, id)
    join journals t on t.account_id = named.account_id and t.id = named.id`;
  const forged = await withoutStamp(keys, kind, rows);
  return forged.map(({ account_id: accountId, id }) => ({ accountId, kind, id }));
}
