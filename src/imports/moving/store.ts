import type { Centavos } from '../../kernel/money.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { namedRequests } from '../../requests/index.ts';
import type { MovedKind } from './row.ts';

/** Rows that were moved, by their ids at the former provider. */
export type Moves = ReadonlyMap<string, { newId: number; at: Temporal.Instant }>;

/** Returns the new ids, with the moment of each move, by the ids at the former provider. */
export async function readMoves(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: MovedKind },
  oldIds: readonly string[],
): Promise<Moves> {
  const rows = await sql<{ old_id: string; new_id: number; moved_at: Temporal.Instant }[]>`
    select old_id, new_id, moved_at from moved_in
    where account_id = ${accountId} and kind = ${kind} and old_id = any(${[...oldIds]}::text[])`;
  return new Map(rows.map((row) => [row.old_id, { newId: row.new_id, at: row.moved_at }]));
}

/** Returns which of the new ids came from the former provider. */
export async function amongMoved(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: MovedKind },
  newIds: readonly number[],
): Promise<Set<number>> {
  const rows = await sql<{ new_id: number }[]>`
    select new_id from moved_in
    where account_id = ${accountId} and kind = ${kind} and new_id = any(${[...newIds]}::bigint[])`;
  return new Set(rows.map((row) => row.new_id));
}

export async function insertMoved(
  tx: Transaction,
  { accountId, kind, at }: { accountId: string; kind: MovedKind; at: Temporal.Instant },
  moved: readonly { oldId: string; newId: number }[],
): Promise<void> {
  await tx`
    insert into moved_in (account_id, kind, old_id, new_id, moved_at)
    select ${accountId}, ${kind}, old_id, new_id, ${at}::timestamptz
    from ${recordset(tx, 'moved (old_id text, new_id bigint)', moved)}
    order by old_id`;
}

/** The current booking of a moved row. */
export interface Booked {
  /** Id as in the API: a QR's code. */
  newId: string;
  state: string;
  amount: Centavos | null;
}

/** Reads the bookings of requests by their ids. */
export async function readBooked(
  sql: Queryable,
  accountId: string,
  ids: readonly number[],
): Promise<Map<number, Booked>> {
  const rows = await sql<
    { id: number; code: string | null; kind: string; state: string; total1: Centavos }[]
  >`
    select r.id, r.code, r.kind, r.state, r.total1
    from ${namedRequests(sql, accountId, { ids })}`;
  return new Map(
    rows.map(({ id, code, kind, state, total1 }) => [
      id,
      { newId: kind === 'qr' && code !== null ? code : String(id), state, amount: total1 },
    ]),
  );
}
