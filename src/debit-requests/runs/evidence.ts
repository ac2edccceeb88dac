import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Evidence } from '../../seals/index.ts';
import { runSource } from './runs.ts';

/** Seals a run's kind, amount and days. Its end is a result, which `checkRuns` compares. */
export const runEvidence: Evidence = {
  kind: 'debit run',
  from: 'debit_runs',
  key: { request_id: 'bigint', no: 'smallint' },
  columns: ['kind', 'submit_on', 'run_on', 'amount'],
  touched: `
    select account_id, d.request_id, d.no from touched
    join debit_runs d using (account_id)
    where d.request_id = touched.entity_id::bigint
      and touched.entity in ('debit_request', 'card_debit_request')`,
  strict: true,
};

/**
 * Checks that an ended run has a result or a further run, or was canceled with its debit, or became
 * unnecessary because found money paid the debit. An open run has none of these. A new result may
 * be a step ahead of its run.
 */
export async function checkRuns(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ request_id: number; no: number; state: string; told: boolean }[]>`
    select d.request_id, d.no, d.state, coalesce(filed.id, charged.id) is not null as told
    from debit_runs d
    join requests q on q.account_id = d.account_id and q.id = d.request_id
    left join results filed on filed.account_id = d.account_id
      and filed.source = ${runSource} and filed.source_ref = d.request_id || '/' || d.no
    left join results charged on charged.account_id = d.account_id
      and charged.source = 'attempt' and charged.source_ref = d.attempt_id::text
    left join debit_runs second
      on second.account_id = d.account_id and second.request_id = d.request_id and second.no > d.no
    where d.account_id = ${accountId} and case d.state
      when 'done' then coalesce(filed.id, charged.id) is null and second.no is null
        and q.state not in ('canceled', 'paid', 'reverted', 'refunded')
      when 'waiting' then coalesce(filed.id, charged.id) is not null or second.no is not null or q.state = 'rejected'
      else d.state <> 'submitted' or second.no is not null or q.state not in ('in_process', 'paid', 'rejected', 'reverted', 'refunded')
    end
    order by d.request_id, d.no limit 100`;
  return rows.map(({ request_id, no, state, told }) => {
    const name = `debit run ${request_id} ${no} is ${state}`;
    if (state === 'done') return `${name}, but has no result`;
    return state === 'waiting' && told
      ? `${name}, but has a result`
      : `${name}, but its debit or a later run contradicts that`;
  });
}

/**
 * Checks that a run has no more orders than its debit has charges, and that only charged runs have
 * any.
 */
export async function checkOrders(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ request_id: number; no: number }[]>`
    select d.request_id, d.no from debit_runs d
    left join (
      select request_id, count(*) as times from attempts
      where account_id = ${accountId} and channel = 'card_debit' group by request_id
    ) as charges on charges.request_id = d.request_id
    where d.account_id = ${accountId} and (
      (d.orders > 0 and d.tried_on is null) or (d.tried_on is not null and not d.charged)
      or d.orders > coalesce(charges.times, 0))
    order by d.request_id, d.no limit 100`;
  return rows.map(
    ({ request_id, no }) => `the orders of debit run ${request_id} ${no} do not match its charges`,
  );
}

/**
 * Checks that a run has its debit's kind and amount, is due for submission no later than it runs,
 * and that every debit has a first run.
 */
export async function checkRunTerms(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; no: number | null }[]>`
    select q.id, d.no from requests q
    left join debit_runs d on d.account_id = q.account_id and d.request_id = q.id
    where q.account_id = ${accountId} and q.kind in ('debit_request', 'card_debit_request')
      and (d.no is null or d.kind <> q.kind
        or d.amount is distinct from case d.no when 1 then q.total1 else q.total2 end
        or d.submit_on > d.run_on)
    order by q.id, d.no limit 100`;
  return rows.map(({ id, no }) =>
    no === null
      ? `debit ${id} has no run`
      : `the kind, amount or days of debit run ${id} ${no} do not match its debit`,
  );
}

/**
 * Checks that a run is charged only if a connector stores its card, that it is then in no file,
 * that its attempt is on its debit, and that a run's account or card is one of its mandate's.
 */
export async function checkCarried(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ request_id: number; no: number }[]>`
    select d.request_id, d.no from debit_runs d
    join requests q on q.account_id = d.account_id and q.id = d.request_id
    left join mandates m on m.account_id = q.account_id and m.id = q.mandate_id
      and m.kind = case q.kind when 'debit_request' then 'adhesion' else 'card_adhesion' end
    left join attempts a on a.account_id = d.account_id and a.id = d.attempt_id
    where d.account_id = ${accountId} and (m.id is null
      or (d.charged and (not m.keeps_card or d.file_id is not null))
      or (d.attempt_id is not null and (not d.charged or a.request_id is distinct from d.request_id))
      or (d.file_id is null and d.instrument_no is not null)
      or d.instrument_no > m.instrument_no)
    order by d.request_id, d.no limit 100`;
  return rows.map(
    ({ request_id, no }) =>
      `debit run ${request_id} ${no} does not match its mandate, file or charge`,
  );
}
