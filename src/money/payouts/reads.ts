import type { Centavos } from '../../kernel/money.ts';
import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** Available money on its way to the account holder's bank account, or returned from there. */
export interface PayoutRow {
  account_id: string;
  id: number;
  reference: string;
  /** `returned`: the bank sent it back, or the operator canceled it. */
  state: 'sent' | 'returned';
  amount: Centavos;
  cbu: string;
  sent_at: Temporal.Instant;
  returned_at: Temporal.Instant | null;
  return_reason: string | null;
  /** The proposing user. Null if not named. */
  ordered_by: number | null;
}

export const columns = (sql: Queryable) => sql`
  account_id, id, reference, state, amount, cbu, sent_at, returned_at, return_reason, ordered_by`;

export async function listPayouts(
  sql: Queryable,
  accountId: string,
  { after, limit }: ListPage,
): Promise<PayoutRow[]> {
  return await sql<PayoutRow[]>`
    select ${columns(sql)} from payouts
    where account_id = ${accountId} and id > ${after} order by id limit ${limit}`;
}

/** Returns the first payout since an instant that was not returned, or null. */
export async function firstPayoutSince(
  sql: Queryable,
  accountId: string,
  moment: Temporal.Instant,
): Promise<PayoutRow | null> {
  const [row = null] = await sql<PayoutRow[]>`
    select ${columns(sql)} from payouts
    where account_id = ${accountId} and sent_at >= ${moment}::timestamptz and state = 'sent'
    order by sent_at, id limit 1`;
  return row;
}
