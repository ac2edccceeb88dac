import type { Queryable } from '../../platform/postgres/connect.ts';
import type { AttemptRow } from './attempt.ts';
import { stampAttempt, stampNetworkCharge } from './stamp.ts';

/** A payment as its network calls it, through one connector. */
export interface NetworkKey {
  connector: string;
  trx: string;
}

type AttemptKey = Pick<AttemptRow, 'account_id' | 'id'>;

/**
 * Writes down which attempt a payment is; null: nobody's. False: it was told before. Waits for who
 * tells of the same payment at the same time.
 */
export async function claimNetwork(
  sql: Queryable,
  { connector, trx }: NetworkKey,
  attempt: AttemptKey | null,
): Promise<boolean> {
  const stamp = await stampNetworkCharge(sql, { connector, trx }, attempt);
  const rows = await sql`
    insert into network_charges (connector, trx, account_id, attempt_id, stamp)
    values (${connector}, ${trx}, ${attempt?.account_id ?? null}, ${attempt?.id ?? null}, ${stamp})
    on conflict (connector, trx) do nothing returning trx`;
  return rows.length > 0;
}

/** What was told of a payment before; null: nothing. */
export async function readNetwork(
  sql: Queryable,
  { connector, trx }: NetworkKey,
): Promise<{ attempt: AttemptKey | null; reversed: boolean } | null> {
  const [row] = await sql<
    { account_id: string | null; attempt_id: number | null; reversed: boolean }[]
  >`
    select account_id, attempt_id, reversed_at is not null as reversed from network_charges
    where connector = ${connector} and trx = ${trx}`;
  if (!row) return null;
  const { account_id, attempt_id: id, reversed } = row;
  return { attempt: account_id === null || id === null ? null : { account_id, id }, reversed };
}

/** Keeps that a payment was reversed, also where nothing of it was told before. */
export async function markReversed(
  sql: Queryable,
  { connector, trx }: NetworkKey,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into network_charges as n (connector, trx, reversed_at)
    values (${connector}, ${trx}, ${at}::timestamptz)
    on conflict (connector, trx) do update
      set reversed_at = coalesce(n.reversed_at, excluded.reversed_at)`;
}

/** Inserts the attempt of money that came: it waits for nobody, and nobody waits for it. */
export async function insertTold(
  sql: Queryable,
  attempt: AttemptRow,
  askAt: Temporal.Instant,
): Promise<void> {
  const stamp = await stampAttempt(sql, attempt);
  await sql`
    insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
      details, started_at, ask_at, stamp)
    values (${attempt.account_id}, ${attempt.id}, ${attempt.request_id}, ${attempt.id},
      ${attempt.channel}, ${attempt.connector}, ${attempt.amount}, 'started',
      ${JSON.stringify(attempt.details)}::text::json, ${attempt.started_at}::timestamptz,
      ${askAt}::timestamptz, ${stamp})`;
}
