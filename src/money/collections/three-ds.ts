import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { ThreeDs } from '../channels/index.ts';
import { refusedThenApproved } from './result.ts';

interface AttemptName {
  account_id: string;
  attempt_id: number;
}

const refsOf = (attemptId: number): string[] => [String(attemptId), refusedThenApproved(attemptId)];

/** Returns the 3-D Secure results of these attempts' payments. Unknown ones are null. */
export async function threeDsOfAttempts(
  sql: Queryable,
  attempts: readonly AttemptName[],
): Promise<(ThreeDs | null)[]> {
  if (attempts.length === 0) return [];
  const rows = await sql<{ account_id: string; source_ref: string; three_ds: ThreeDs }[]>`
    select account_id, source_ref, details->'payment_metadata'->'three_ds' as three_ds from results
    where account_id = any(${attempts.map((one) => one.account_id)}::text[])
      and source = 'attempt' and type = 'collected'
      and source_ref = any(${attempts.flatMap((one) => refsOf(one.attempt_id))}::text[])
      and details->'payment_metadata'->'three_ds' is not null`;
  return attempts.map(({ account_id: accountId, attempt_id: id }) => {
    const row = rows.find(
      (one) => one.account_id === accountId && refsOf(id).includes(one.source_ref),
    );
    return row?.three_ds ?? null;
  });
}

/** Returns the 3-D Secure result of a request's last payment, or null. */
export async function threeDsOfLast(
  sql: Queryable,
  { accountId, id }: RequestKey,
): Promise<ThreeDs | null> {
  const [row] = await sql<{ three_ds: ThreeDs | null }[]>`
    select details->'payment_metadata'->'three_ds' as three_ds from results
    where account_id = ${accountId} and request_id = ${id} and type = 'collected'
    order by informed_at desc, id desc limit 1`;
  return row?.three_ds ?? null;
}
