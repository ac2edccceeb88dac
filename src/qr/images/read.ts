import { joinAccounts } from '../../accounts/index.ts';
import { inOrderOf } from '../../kernel/lists.ts';
import type { Base } from '../../platform/base.ts';
import { batcher, byAccount } from '../../platform/batcher.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import {
  lookUpRequests,
  type RequestKey,
  type RequestRow,
  requestColumns,
} from '../../requests/index.ts';
import { dynamicPayload, type Holder, type QrTerms } from '../payload/payload.ts';
import { asDynamic } from '../row.ts';

export type ReadPayload = (key: RequestKey) => Promise<string | null>;

const keyRows = (sql: Queryable, keys: RequestKey[]) => sql`
  ${recordset(
    sql,
    'wanted (account_id text, number bigint, no ordinality)',
    keys.map((key) => ({ ...key, number: key.id })),
  )}`;

/** Reads the text of a static or dynamic QR by number. Concurrent reads share a statement. */
export function readPayloads({ sql }: Base, terms: QrTerms): ReadPayload {
  const read = async (keys: RequestKey[]): Promise<(string | null)[]> => {
    const accountIds = keys.map((key) => key.accountId);
    const [statics, dynamics] = await Promise.all([
      sql<{ no: number; payload: string }[]>`
        select wanted.no::int as no, s.payload from ${keyRows(sql, keys)}
        cross join lateral (
          select payload from static_qrs
          where account_id = any(${accountIds}::text[])
            and account_id = wanted.account_id and number = wanted.number limit 1
        ) as s`,
      sql<(RequestRow & Holder & { no: number })[]>`
        select wanted.no::int as no, ${requestColumns(sql)}, a.name, a.cuit
        from ${keyRows(sql, keys)}
        ${lookUpRequests(sql, 'wanted', 'id', 'number', accountIds)}
        ${joinAccounts(sql, 'wanted', accountIds)}`,
    ]);
    const made = dynamics.flatMap((row) => {
      const qr = asDynamic(row);
      return qr ? [{ no: row.no, payload: dynamicPayload(terms, row, qr) }] : [];
    });
    return inOrderOf(keys, [...statics, ...made]).map((found) => found?.payload ?? null);
  };
  return batcher(
    read,
    { maxBatch: 100, maxQueue: 5_000, parallel: 1 },
    byAccount(sql, ({ accountId }) => accountId),
  );
}
