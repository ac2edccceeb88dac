import type { ThreeDs } from '../../money/channels/index.ts';
import { threeDsOfAttempts } from '../../money/collections/index.ts';
import { type DisputeRow, disputesOf } from '../../money/disputes/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestKey } from '../../requests/index.ts';

/** A dispute with its payment's 3-D Secure result. */
export type DisputeView = DisputeRow & { three_ds: ThreeDs | null };

export async function withThreeDs(
  sql: Queryable,
  rows: readonly DisputeRow[],
): Promise<DisputeView[]> {
  const threeDsByAttempt = await threeDsOfAttempts(sql, rows);
  return rows.map((row, index) => ({ ...row, three_ds: threeDsByAttempt[index] ?? null }));
}

export const readDisputes = async (sql: Queryable, key: RequestKey): Promise<DisputeView[]> =>
  await withThreeDs(sql, await disputesOf(sql, key));
