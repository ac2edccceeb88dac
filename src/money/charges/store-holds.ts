import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import { isForged, momentText, type Stamped, stampColumns, stampRow } from '../../seals/index.ts';
import type { HoldOrder } from '../channels/index.ts';
import type { AttemptRow } from './attempt.ts';
import { attemptColumns } from './store.ts';

/** Reason to void a hold. `not_payable`: the request or its account accepts no more payments. */
export type VoidReason = 'late' | 'not_payable' | 'excluded' | 'amount';

/** An issuer's hold for a charge, and its planned end. */
export interface HoldRow {
  account_id: string;
  attempt_id: number;
  request_id: number;
  reference: string;
  amount: AttemptRow['amount'];
  ordered: HoldOrder['end'];
  why: VoidReason | null;
  expires_at: Temporal.Instant;
}

/** Stamps planned ends of authorized charges. */
export const stampedHolds: Stamped = {
  kind: 'hold',
  // Adds an `id`, by which alarms name rows.
  from: '(select *, attempt_id as id from card_holds)',
  name: 't.attempt_id',
  columns: [
    't.account_id',
    't.attempt_id',
    't.request_id',
    't.reference',
    't.amount',
    't.ordered',
    't.why',
    momentText('t.authorized_at'),
    momentText('t.expires_at'),
  ],
  due: (sql, _accountId, { lastId }) => sql`t.attempt_id > ${lastId}::bigint`,
};

type Key = Pick<AttemptRow, 'account_id' | 'id'>;

/** Records how a hold is to end, unless already decided. */
export async function insertHold(
  sql: Queryable,
  row: HoldRow,
  { at, askAt }: { at: Temporal.Instant; askAt: Temporal.Instant | null },
): Promise<void> {
  const stamp = await stampRow(sql, stampedHolds.kind, [
    row.account_id,
    row.attempt_id,
    row.request_id,
    row.reference,
    row.amount,
    row.ordered,
    row.why,
    at.epochMilliseconds,
    row.expires_at.epochMilliseconds,
  ]);
  await sql`
    insert into card_holds (account_id, attempt_id, request_id, reference, amount, ordered, why,
      authorized_at, expires_at, ask_at, stamp)
    values (${row.account_id}, ${row.attempt_id}, ${row.request_id}, ${row.reference},
      ${row.amount}, ${row.ordered}, ${row.why}, ${at}::timestamptz,
      ${row.expires_at}::timestamptz, ${askAt}::timestamptz, ${stamp})
    on conflict (account_id, attempt_id) do nothing`;
}

/** Returns an attempt's hold, or null. `forged`: no process of the service wrote it. */
export async function readHold(
  sql: Queryable,
  { account_id, id }: Key,
): Promise<HoldRow | 'forged' | null> {
  const where = sql`t.account_id = ${account_id} and t.attempt_id = ${id}`;
  const [row] = await sql<(HoldRow & { stamp: Buffer | null; digest: Buffer })[]>`
    select account_id, attempt_id, request_id, reference, amount, ordered, why, expires_at,
      ${stampColumns(sql, stampedHolds)}
    from card_holds t where ${where}`;
  if (!row) return null;
  return (await isForged(sql, stampedHolds, row, where)) ? 'forged' : row;
}

/**
 * Returns ended attempts whose hold is due for inquiry, longest waiting first. For open attempts
 * the inquiry is about the attempt itself.
 */
export const dueHolds = (sql: Queryable, now: Temporal.Instant, most: number) =>
  sql<AttemptRow[]>`
    select ${attemptColumns(sql)} from (
      select a.* from card_holds h
      join attempts a on a.account_id = h.account_id and a.id = h.attempt_id and a.state = 'done'
      where h.ask_at <= ${now}::timestamptz ${withinReach(sql, 'account_id', 'h')}
      order by h.ask_at limit ${most}) as attempts`;

export async function nextHold(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select h.ask_at as due from card_holds h
    join attempts a on a.account_id = h.account_id and a.id = h.attempt_id and a.state = 'done'
    where h.ask_at is not null ${withinReach(sql, 'account_id', 'h')}
    order by h.ask_at limit 1`;
  return row?.due ?? null;
}

/** Sets the next inquiry about an ended attempt's hold. Null cancels it, because the hold ended. */
export async function askForHold(
  sql: Queryable,
  { account_id, id }: Key,
  at: Temporal.Instant | null,
): Promise<void> {
  await sql`
    update card_holds set ask_at = ${at}::timestamptz
    where account_id = ${account_id} and attempt_id = ${id} and ask_at is not null`;
}

/** A hold without a confirmed capture or void. */
export interface OpenHold extends HoldRow {
  connector: string;
  authorized_at: Temporal.Instant;
}

/** Lists holds that have not ended yet, ordered by attempt. */
export const listHolds = (
  sql: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<OpenHold[]> => sql<OpenHold[]>`
  select h.account_id, h.attempt_id, h.request_id, a.connector, h.reference, h.amount, h.ordered,
    h.why, h.authorized_at, h.expires_at
  from card_holds h join attempts a on a.account_id = h.account_id and a.id = h.attempt_id
  where h.attempt_id > ${after} and (a.state <> 'done' or h.ask_at is not null)
  order by h.attempt_id limit ${limit}`;
