import type { Queryable } from '../../platform/postgres/connect.ts';
import { stampColumns } from '../../seals/index.ts';
import type { AttemptRow } from './attempt.ts';
import { stampAttempt, stampedNetworkCharges, stampNetworkCharge } from './stamp.ts';

/** A payment, identified by its network's id at one connector. */
export interface NetworkKey {
  connector: string;
  trx: string;
}

type AttemptKey = Pick<AttemptRow, 'account_id' | 'id'>;

/**
 * Records a network's payment with its attempt, if it has one. Returns false if already recorded.
 * Serializes concurrent reports of a payment.
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

export interface NetworkRow {
  /** Null if no request matches, or if only a reversal was reported. */
  attempt: AttemptKey | null;
  reversed: boolean;
  stamp: Buffer | null;
  digest: Buffer;
}

interface StoredRow extends Omit<NetworkRow, 'attempt'> {
  whose: string | null;
  attempt_id: number | null;
}

export async function readNetwork(
  sql: Queryable,
  { connector, trx }: NetworkKey,
): Promise<NetworkRow | null> {
  const [row] = await sql<StoredRow[]>`
    select t.whose, t.attempt_id, t.reversed_at is not null as reversed,
      ${stampColumns(sql, stampedNetworkCharges)}
    from ${sql.unsafe(stampedNetworkCharges.from)} t
    where t.connector = ${connector} and t.trx = ${trx}`;
  if (!row) return null;
  const { whose, attempt_id: id, ...rest } = row;
  return { ...rest, attempt: whose === null || id === null ? null : { account_id: whose, id } };
}

/** Records a reversal, even of a payment that was never reported. */
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

/** Inserts the attempt of a payment that has already arrived. It does not block other attempts. */
export async function insertNetworkAttempt(
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
