import { type Centavos, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import {
  type Contents,
  moveRequests,
  namedRequests,
  type RequestKey,
  requestColumns,
  stepTerms,
} from '../../requests/index.ts';
import type { QrRow } from '../row.ts';

/**
 * Locks dynamic QRs by id until the transaction ends. Locks in the order of their numbers, as every
 * statement locks requests. Omits unknown ids.
 */
export async function lockQrs(sql: Queryable, accountId: string, ids: string[]): Promise<QrRow[]> {
  return await sql<QrRow[]>`
    select ${requestColumns(sql)} from ${namedRequests(sql, accountId, { codes: ids })}
    where r.kind = 'qr' and r.details->>'static_id' is null
    order by r.id for update of r`;
}

export async function lockQrsByNumber(
  sql: Queryable,
  accountId: string,
  numbers: readonly number[],
): Promise<QrRow[]> {
  return await sql<QrRow[]>`
    select ${requestColumns(sql)} from ${namedRequests(sql, accountId, { ids: numbers })}
    where r.kind = 'qr' and r.details->>'static_id' is null
    order by r.id for update of r`;
}

interface Change {
  at: Temporal.Instant;
  actor: Actor;
  /** One per QR. */
  eventIds: number[];
}

const accountsOf = (qrs: { key: RequestKey }[]): string[] => [
  ...new Set(qrs.map(({ key }) => key.accountId)),
];

const steps = (
  sql: Queryable,
  qrs: { key: RequestKey; total: Centavos }[],
  move: 'edit' | 'delete',
  { at, actor, eventIds }: Change,
) => sql`
  step as (
    select account_id, request_id, 'qr' as kind, event_id, data,
      ${stepTerms(sql, { kind: 'qr', move, at, actor })}
    from unnest(
      ${qrs.map(({ key }) => key.accountId)}::text[], ${qrs.map(({ key }) => key.id)}::bigint[],
      ${eventIds.slice(0, qrs.length)}::bigint[],
      ${qrs.map(({ total }) => JSON.stringify({ amount: toJsonNumber(total) }))}::text[]
    ) as step (account_id, request_id, event_id, data)
  )`;

/** Replaces the contents of locked QRs. Number, id, state and creation stay the same. */
export async function writeEdits(sql: Queryable, rows: QrRow[], change: Change): Promise<void> {
  const edited = rows.map((row) => ({
    key: { accountId: row.account_id, id: row.id },
    total: row.total1,
  }));
  const contents: Contents = {
    set: sql`, reference = edit.reference, payer = edit.payer, description = edit.description,
      due1 = edit.due1, total1 = edit.total1, due2 = edit.due2, total2 = edit.total2,
      last_due = edit.last_due, details = edit.details::json`,
    from: sql`join edit using (request_id)`,
  };
  await sql`
    with edit as materialized (
      select * from ${recordset(
        sql,
        `edit (request_id bigint, reference text, payer text, description text, due1 date,
          total1 bigint, due2 date, total2 bigint, last_due date, details text)`,
        rows.map((row) => ({ ...row, request_id: row.id, details: JSON.stringify(row.details) })),
      )}
    ),
    ${steps(sql, edited, 'edit', change)},
    ${moveRequests(sql, 'step', accountsOf(edited), contents)}
    select 1`;
}

/** Marks locked QRs as deleted, with the time. */
export async function writeDeletions(
  sql: Queryable,
  qrs: { key: RequestKey; total: Centavos }[],
  change: Change,
): Promise<void> {
  const contents: Contents = {
    set: sql`, details = (r.details::jsonb
      || jsonb_build_object('deleted_at', ${change.at.toString()}::text))::json`,
    from: sql``,
  };
  await sql`
    with ${steps(sql, qrs, 'delete', change)},
    ${moveRequests(sql, 'step', accountsOf(qrs), contents)}
    select 1`;
}
