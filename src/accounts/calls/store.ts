import { pipeline } from 'node:stream/promises';
import type { Queryable, Sql, Transaction } from '../../platform/postgres/connect.ts';
import { takesSeveralAccounts } from '../../platform/postgres/distributed/engine.ts';
import { everyAccount } from '../relations.ts';
import type { ApiCall } from './call.ts';

/** Rows per deleting statement. */
const clearedAtOnce = 5_000;

/** Escapes the backslash for COPY. Paths contain no control characters. */
const copied = (text: string): string => text.replaceAll('\\', '\\\\');

const lineOf = (call: ApiCall): string =>
  [
    call.accountId,
    Temporal.Instant.fromEpochMilliseconds(call.atMs),
    call.requestId,
    call.method,
    copied(call.path),
    call.status,
    call.ms,
    call.keyId ?? '\\N',
  ].join('\t');

async function copyCalls(tx: Transaction, calls: readonly ApiCall[]): Promise<void> {
  const copy = await tx`
    copy api_calls (account_id, at, request_id, method, path, status, ms, key_id) from stdin`.writable();
  await pipeline([`${calls.map(lineOf).join('\n')}\n`], copy);
}

const columns = ['account_id', 'at', 'request_id', 'method', 'path', 'status', 'ms', 'key_id'];

/** Inserts values in one command to the account's node, where COPY would take several. */
async function insertCalls(sql: Queryable, calls: readonly ApiCall[]): Promise<void> {
  for (const own of Map.groupBy(calls, ({ accountId }) => accountId).values()) {
    const values = own.flatMap((call) => [
      call.accountId,
      Temporal.Instant.fromEpochMilliseconds(call.atMs),
      call.requestId,
      call.method,
      call.path,
      call.status,
      call.ms,
      call.keyId,
    ]);
    const width = columns.length;
    const rows = own.map((_, row) => columns.map((_name, no) => `$${row * width + no + 1}`));
    await sql.unsafe(
      `insert into api_calls (${columns.join(', ')}) values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
      values,
    );
  }
}

/** Counts of omitted calls, by account. */
export type LeftOut = ReadonlyMap<string, number>;

/**
 * Writes calls, and the counts of those omitted in `minute`, in one transaction. On a distributed
 * database, writes the calls before that transaction, one account at a time.
 */
export async function writeCalls(
  sql: Sql,
  calls: readonly ApiCall[],
  leftOut: LeftOut,
  minute: Temporal.Instant,
): Promise<void> {
  const isCopied = takesSeveralAccounts(sql);
  if (!isCopied) await insertCalls(sql, calls);
  if (!isCopied && leftOut.size === 0) return;
  await sql.begin(async (tx) => {
    if (calls.length > 0 && isCopied) await copyCalls(tx, calls);
    if (leftOut.size > 0) {
      await tx`
        insert into api_calls_left_out as l (account_id, at, calls)
        select account_id, ${minute}::timestamptz, calls
        from unnest(${[...leftOut.keys()]}::text[], ${[...leftOut.values()]}::bigint[])
          as one (account_id, calls) order by account_id
        on conflict (account_id, at) do update set calls = l.calls + excluded.calls`;
    }
  });
}

/**
 * Deletes a batch of calls before an instant, and all earlier counts of omitted ones. Returns the
 * number of calls.
 */
export async function forgetBefore(sql: Queryable, moment: Temporal.Instant): Promise<number> {
  await sql`
    delete from api_calls_left_out l using ${everyAccount(sql)}
    where l.account_id = a.account_id and l.at < ${moment}::timestamptz`;
  const rows = await sql`
    delete from api_calls c using (
      select old.account_id, old.at, old.request_id from ${everyAccount(sql)}
      cross join lateral (
        select account_id, at, request_id from api_calls
        where account_id = a.account_id and at < ${moment}::timestamptz
        order by at limit ${clearedAtOnce}
      ) as old limit ${clearedAtOnce}
    ) as old
    where c.account_id = old.account_id and c.at = old.at and c.request_id = old.request_id`;
  return rows.count;
}

/** Deletes all but an account's `most` newest calls. */
export async function keepNewest(sql: Queryable, accountId: string, most: number): Promise<void> {
  await sql`
    delete from api_calls where account_id = ${accountId} and (at, request_id) <= (
      select at, request_id from api_calls where account_id = ${accountId}
      order by at desc, request_id desc offset ${most} limit 1)`;
}
