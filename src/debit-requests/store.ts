import { writeEvents } from '../events/index.ts';
import { toJsonNumber } from '../kernel/money.ts';
import type { Base } from '../platform/base.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  claimKeys,
  claimsOf,
  freshRows,
  inKeyOrder,
  outcomesOf,
} from '../platform/idempotency.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { insertRequests, newRequests } from '../requests/index.ts';
import type { DebitRow, DebitRun } from './debit.ts';

type Fragment = ReturnType<Queryable>;

/** A debit to be written, with its first run. */
export interface NewDebit extends ClaimedCreation {
  row: DebitRow;
  run: DebitRun;
  eventId: number;
  actor: string;
}

/** Inserts runs from parallel arrays, those whose debit is in the relation `from`. */
const insertRuns = (sql: Queryable, runs: DebitRun[], from: string): Fragment => sql`
  insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
  select run.account_id, run.request_id, run.no, run.kind, run.submit_on, run.run_on, run.amount,
    'waiting'
  from unnest(
    ${runs.map((run) => run.account_id)}::text[], ${runs.map((run) => run.request_id)}::bigint[],
    ${runs.map((run) => run.no)}::smallint[], ${runs.map((run) => run.kind)}::text[],
    ${runs.map((run) => run.submit_on)}::date[], ${runs.map((run) => run.run_on)}::date[],
    ${runs.map((run) => run.amount)}::bigint[]
  ) as run (account_id, request_id, no, kind, submit_on, run_on, amount)
  join ${sql(from)} made on made.account_id = run.account_id and made.id = run.request_id`;

const eventDataOf = ({ row }: NewDebit): string =>
  JSON.stringify({
    state: row.state,
    ...(row.reference !== null && { external_reference: row.reference }),
    amount: toJsonNumber(row.total1),
  });

/** Writes debits, their runs, events and stored answers in one statement. */
export async function insertDebits(
  { clocks }: Base,
  sql: Queryable,
  news: NewDebit[],
): Promise<(CreationOutcome | Error)[]> {
  const sorted = inKeyOrder(news);
  const rows = await sql<{ id: number }[]>`
    with new_request as materialized (
      ${newRequests(
        sql,
        sorted.map(({ row }) => row),
      )}
    ),
    ${claimKeys(sql, claimsOf(sorted), clocks.wall.now())},
    ${freshRows(sql, 'new_request')},
    created as (${insertRequests(sql, 'fresh')}),
    run as (${insertRuns(
      sql,
      sorted.map((one) => one.run),
      'fresh',
    )}),
    new_events as (
      select account_id, kind as entity, id::text as entity_id, version, written.event_id as id,
        kind || '.created' as type, created_at as at, written.actor, written.data
      from fresh join unnest(
        ${sorted.map(({ row }) => row.id)}::bigint[], ${sorted.map((one) => one.eventId)}::bigint[],
        ${sorted.map((one) => one.actor)}::text[], ${sorted.map(eventDataOf)}::text[]
      ) as written (id, event_id, actor, data) using (id)
    ),
    ${writeEvents(sql, 'new_events')}
    select id from fresh`;
  return await outcomesOf(sql, news, new Set(rows.map((row) => row.id)));
}
