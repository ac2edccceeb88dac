import { isoMidnight } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { eventOf, joinRequests, lockRequests, noteOnRequests } from '../../requests/index.ts';
import type { DebitRun } from '../debit.ts';
import type { Timing } from '../timing.ts';

/** An unsubmitted run, with the facts that decide its days. */
export interface WaitingRun extends DebitRun {
  due1: Temporal.PlainDate;
  due2: Temporal.PlainDate | null;
  /** Card debits only. */
  month: number | null;
  year: number | null;
  /** Null for runs from before it was stored. */
  cut_day: number | null;
  reference: string | null;
  state_comment: string | null;
}

/** An unsubmitted run with its new days. */
export interface RunShift {
  run: WaitingRun;
  to: Timing;
  comment: string | null;
}

/** Submission days to search. */
interface Span {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

const atOnce = 1_000;

/** Returns the accounts with runs to submit in those days. */
export async function waitingAccounts(sql: Queryable, { from, to }: Span): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from debit_runs
    where state = 'waiting' and submit_on between ${from}::date and ${to}::date
    order by account_id`;
  return rows.map((row) => row.account_id);
}

/** Reads an account's unsubmitted runs of those days with open debits, in batches by key. */
export async function* readWaiting(
  sql: Queryable,
  accountId: string,
  { from, to }: Span,
): AsyncGenerator<WaitingRun[]> {
  let after = { request: 0, no: 0 };
  for (;;) {
    const rows = await sql<WaitingRun[]>`
      select d.account_id, d.request_id, d.no, d.kind, d.submit_on, d.run_on, d.amount, d.state,
        r.due1, r.due2, (r.details->>'month')::int as month, (r.details->>'year')::int as year,
        (r.details->>'cut_day')::int as cut_day, r.reference, r.state_comment
      from debit_runs d ${joinRequests(sql, 'd', 'request_id')}
      where d.account_id = ${accountId} and d.state = 'waiting'
        and d.submit_on between ${from}::date and ${to}::date
        and r.state in ('pending', 'in_process')
        and (d.request_id, d.no) > (${after.request}::bigint, ${after.no}::smallint)
      order by d.request_id, d.no limit ${atOnce}`;
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = { request: last.request_id, no: last.no };
  }
}

const eventDataOf = ({ run, to }: RunShift): string =>
  JSON.stringify({
    ...(run.reference !== null && { external_reference: run.reference }),
    run: run.no,
    run_on: isoMidnight(to.run_on),
    submit_on: isoMidnight(to.submit_on),
    was_run_on: isoMidnight(run.run_on),
    was_submit_on: isoMidnight(run.submit_on),
  });

/**
 * Reschedules an account's runs, each debit with an event. Skips runs that were submitted, moved or
 * locked concurrently. Returns the moved ones. Locks runs before debits, as the submission does.
 */
export async function moveRuns(
  { sql, clocks, recordIds }: Base,
  { accountId, actor }: { accountId: string; actor: Actor },
  shifts: RunShift[],
): Promise<RunShift[]> {
  if (shifts.length === 0) return [];
  const ids = await recordIds.take(shifts.length);
  const rows = shifts.map((shift, index) => ({
    ...shift.run,
    run_no: shift.run.no,
    to_submit: shift.to.submit_on,
    to_run: shift.to.run_on,
    what: eventOf(shift.run.kind, 'reschedule'),
    event_id: itemAt(ids, index),
    data: eventDataOf(shift),
    comment: shift.comment,
  }));
  const shape = `change (request_id bigint, run_no smallint, submit_on date, run_on date,
    to_submit date, to_run date, what text, event_id bigint, data text, comment text,
    no ordinality)`;
  const moved = await sql<{ place: number }[]>`
    with change as materialized (select * from ${recordset(sql, shape, rows)}),
    taken as materialized (
      select * from (
        select d.account_id, d.request_id, d.no as run_no
        from debit_runs d join change on change.request_id = d.request_id and change.run_no = d.no
        where d.account_id = ${accountId} and d.state = 'waiting'
          and d.submit_on = change.submit_on and d.run_on = change.run_on
        order by d.request_id, d.no for update of d skip locked
      ) as held
    ),
    ${lockRequests(sql, 'taken', [accountId])},
    moved as (
      update debit_runs d set submit_on = change.to_submit, run_on = change.to_run
      from change join taken using (request_id, run_no)
      join held_requests held on held.request_id = change.request_id
      where d.account_id = ${accountId} and d.request_id = change.request_id
        and d.no = change.run_no
      returning d.request_id, d.no as run_no, d.kind
    ),
    fact as (
      select ${accountId}::text as account_id, change.request_id, moved.kind, change.no,
        change.event_id, change.what, ${clocks.business.now()}::timestamptz as at,
        ${actorText(actor)}::text as actor, change.data, false as is_money, change.comment,
        -- The comment of a debit in process names its next run. The state stays the same.
        case when change.comment is not null then '{in_process}' end as move_from,
        case when change.comment is not null then 'in_process' end as move_to
      from change join moved using (request_id, run_no)
    ),
    ${noteOnRequests(sql, 'fact', [accountId], 'held_requests')}
    select no::int as place from fact`;
  return moved.flatMap(({ place }) => shifts[place - 1] ?? []);
}
