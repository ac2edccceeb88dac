import { inOrderOf } from '../../kernel/lists.ts';
import type { Centavos } from '../../kernel/money.ts';
import { resultFrom } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { commentOnRequests, joinRequests, requestColumns } from '../../requests/index.ts';
import type { DebitRow, DebitRun } from '../debit.ts';

export interface SubmittedRun {
  run: DebitRun;
  request: DebitRow;
  /** Number of the mandate's account or card in the file. Null if the run is in no file. */
  instrumentNo: number | null;
}

/** The source of runs' results. */
export const runSource = 'debit run';

/** The source of money matched to a run after its end. */
export const foundSource = 'money of a debit run';

/** Identifies the fact by the run, not by its file, so that a repeated report counts once. */
export const sourceRefOf = (requestId: number, no: DebitRun['no']): string => `${requestId}/${no}`;

export interface RunKey {
  accountId: string;
  requestId: number;
  runNo: DebitRun['no'];
}

/** Reads runs with their debits in one round trip. Unknown ones are null. */
export async function readRuns(
  sql: Queryable,
  keys: readonly RunKey[],
): Promise<(SubmittedRun | null)[]> {
  type Row = DebitRow & {
    no: number;
    run_no: DebitRun['no'];
    submit_on: Temporal.PlainDate;
    run_on: Temporal.PlainDate;
    run_amount: DebitRun['amount'];
    run_state: DebitRun['state'];
    instrument_no: number | null;
  };
  const rows = await sql<Row[]>`
    select key.place::int as no, d.no as run_no, d.submit_on, d.run_on, d.amount as run_amount,
      d.state as run_state, d.instrument_no, ${requestColumns(sql)}
    from ${recordset(
      sql,
      'key (account_id text, request_id bigint, no smallint, place ordinality)',
      keys.map((key) => ({ ...key, no: key.runNo })),
    )}
    join debit_runs d using (account_id, request_id, no)
    ${joinRequests(sql, 'd', 'request_id')}`;
  return inOrderOf(keys, rows).map((row) => {
    if (!row) return null;
    return {
      request: row,
      instrumentNo: row.instrument_no,
      run: {
        account_id: row.account_id,
        request_id: row.id,
        no: row.run_no,
        kind: row.kind,
        submit_on: row.submit_on,
        run_on: row.run_on,
        amount: row.run_amount,
        state: row.run_state,
      },
    };
  });
}

/** Records interim codes of undecided runs. */
export async function noteCodes(
  sql: Queryable,
  reported: readonly (RunKey & { code: string })[],
): Promise<void> {
  await sql`
    update debit_runs d set code = told.code
    from ${recordset(
      sql,
      'told (account_id text, request_id bigint, no smallint, code text)',
      reported.map((one) => ({ ...one, no: one.runNo })),
    )}
    where d.account_id = told.account_id and d.request_id = told.request_id and d.no = told.no
      and d.state = 'submitted'`;
}

/** The recorded end of a run. */
export interface Decision {
  type: 'collected' | 'rejected';
  code: string | null;
}

/** Reads the decisions of runs in one round trip. Undecided ones are null. */
export async function readDecisions(
  sql: Queryable,
  keys: readonly RunKey[],
): Promise<(Decision | null)[]> {
  const rows = await sql<(Decision & { no: number })[]>`
    select key.no::int as no, result.type, result.details->>'code' as code
    from ${recordset(
      sql,
      'key (account_id text, source_ref text, no ordinality)',
      keys.map((key) => ({ ...key, source_ref: sourceRefOf(key.requestId, key.runNo) })),
    )}
    join ${resultFrom(sql, { of: 'key', sources: [runSource], ref: sql`key.source_ref` })}`;
  return inOrderOf(keys, rows);
}

/** A run's payment, with the id of its result. */
export interface RunPayment {
  id: number;
  /** The request that was paid. Not the run's debit if an operator assigned the money elsewhere. */
  requestId: number;
  amount: Centavos;
  /** True if it was not charged back. */
  isThere: boolean;
}

/**
 * Reads each run's payment, reported by its bank or matched to the run later. Prefers one that was
 * not charged back, then the bank's. Null if a run has none.
 */
export async function readRunPayments(
  sql: Queryable,
  keys: readonly RunKey[],
): Promise<(RunPayment | null)[]> {
  type Row = { no: number; id: number; request_id: number; amount: Centavos; is_there: boolean };
  const rows = await sql<Row[]>`
    select distinct on (key.no) key.no::int as no, result.id, result.request_id, result.amount,
      result.charged_back = 0 as is_there
    from ${recordset(
      sql,
      'key (account_id text, source_ref text, no ordinality)',
      keys.map((key) => ({ ...key, source_ref: sourceRefOf(key.requestId, key.runNo) })),
    )}
    join ${resultFrom(sql, { of: 'key', sources: [runSource, foundSource], ref: sql`key.source_ref` })}
      and result.type = 'collected'
    order by key.no, result.charged_back = 0 desc, result.source = ${runSource} desc`;
  return inOrderOf(keys, rows).map(
    (row) =>
      row && {
        id: row.id,
        requestId: row.request_id,
        amount: row.amount,
        isThere: row.is_there,
      },
  );
}

export async function endRuns(sql: Queryable, runs: readonly DebitRun[]): Promise<void> {
  await sql`
    update debit_runs d set state = 'done'
    from ${recordset(sql, 'ended (account_id text, request_id bigint, no smallint)', runs)}
    where d.account_id = ended.account_id and d.request_id = ended.request_id and d.no = ended.no`;
}

/**
 * Ends a first run and starts the second, if the first is undecided. Returns false otherwise. Call
 * it after recording the first run's refusal.
 */
export async function startSecondRun(
  sql: Queryable,
  first: DebitRun,
  second: DebitRun,
  { code, comment }: { code: string; comment: string },
): Promise<boolean> {
  const rows = await sql`
    with ended as (
      update debit_runs set state = 'done', code = ${code}
      where account_id = ${first.account_id} and request_id = ${first.request_id}
        and no = ${first.no} and state = 'submitted'
      returning account_id, request_id, kind
    ),
    started as (
      insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
      select account_id, request_id, ${second.no}, kind, ${second.submit_on}::date,
        ${second.run_on}::date, ${second.amount}, 'waiting'
      from ended
    )
    ${commentOnRequests(sql, 'ended', first.account_id, comment)}`;
  return rows.length > 0;
}
