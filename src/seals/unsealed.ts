import type { Queryable } from '../platform/postgres/connect.ts';
import { since } from './evidence.ts';

/** When the oldest event happened that no seal holds; null: all are sealed. */
export async function oldestUnsealed(sql: Queryable): Promise<Temporal.Instant | null> {
  const [mark] = await sql<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ''`;
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(at) as at from events where ${since(sql, mark?.next_xid ?? 0, null)}`;
  return row?.at ?? null;
}
