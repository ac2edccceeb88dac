import { operatorBooks } from '../../accounts/account.ts';
import { type Centavos, zero } from '../../kernel/money.ts';
import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ChannelCode } from '../channels/index.ts';
import { refusal } from './codes.ts';
import type { SuspenseReason } from './suspend.ts';

export interface SuspenseRow {
  id: number;
  state: 'open' | 'assigned' | 'returned' | 'reversed';
  reason: SuspenseReason;
  channel: ChannelCode;
  channel_label: string;
  code: string;
  amount: Centavos;
  paid_at: Temporal.Instant;
  source: string;
  source_ref: string;
  informed_at: Temporal.Instant;
  to_account_id: string | null;
  to_request_id: number | null;
  resolved_at: Temporal.Instant | null;
  note: string | null;
}

export const columns = (sql: Queryable) => sql`
  id, state, reason, channel, channel_label, code, amount, paid_at, source, source_ref, informed_at,
  to_account_id, to_request_id, resolved_at, note`;

/** Returns a page of the open items, or of all, oldest first. */
export async function listSuspense(
  sql: Queryable,
  { all, after, limit }: ListPage & { all: boolean },
): Promise<SuspenseRow[]> {
  return await sql<SuspenseRow[]>`
    select ${columns(sql)} from suspense
    where account_id = ${operatorBooks} and id > ${after} ${all ? sql`` : sql`and state = 'open'`}
    order by id limit ${limit}`;
}

export async function openSuspense(sql: Queryable): Promise<{ count: number; total: Centavos }> {
  const [open] = await sql<{ count: number; total: Centavos }[]>`
    select count(*)::int as count, coalesce(sum(amount), 0)::bigint as total from suspense
    where account_id = ${operatorBooks} and state = 'open'`;
  return open ?? { count: 0, total: zero };
}

/** Returns when the oldest open item was reported, or null if none is open. */
export async function oldestSuspense(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(informed_at) as at from suspense
    where account_id = ${operatorBooks} and state = 'open'`;
  return row?.at ?? null;
}

/** Reads suspense money by id. Throws 404 if it does not exist. */
export async function readSuspense(sql: Queryable, id: number): Promise<SuspenseRow> {
  const [row] = await sql<SuspenseRow[]>`
    select ${columns(sql)} from suspense where account_id = ${operatorBooks} and id = ${id}`;
  if (!row) throw refusal('suspense.not_found', {});
  return row;
}
