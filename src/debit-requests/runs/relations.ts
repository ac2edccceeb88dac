import type { Centavos } from '../../kernel/money.ts';
import {
  instrumentColumns,
  joinInstruments,
  joinMandates,
  type NamedMandate,
  namedMandateColumns,
} from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { joinRequests, requestsOfKind } from '../../requests/index.ts';
import { type DebitKind, type DebitRow, type DebitRun, mandateKindOf } from '../debit.ts';

// Relations of submitted runs with their identifiers, for files and the simulator.

type Fragment = ReturnType<Queryable>;

/** Selects submitted runs that are in no file and that no connector charges, as `d`. */
export const runsInNoFile = (sql: Queryable): Fragment => sql`
  (select * from debit_runs where state = 'submitted' and file_id is null
    and not charged) as d`;

/** A submitted run with its account or card. */
export interface SubmittedRow {
  account_id: string;
  request_id: number;
  no: DebitRun['no'];
  run_on: Temporal.PlainDate;
  amount: Centavos;
  mandate_id: number;
  description: string;
  cbu: string;
  short_description: string;
  document: string;
  card_key_id: string;
  card_ciphertext: Buffer;
}

export interface FileKey {
  /** Null selects runs without a file. */
  fileId: number | null;
  kind: DebitKind;
  /** The date for runs whose day has passed. */
  date: Temporal.PlainDate;
}

const rowsAtOnce = 1_000;

/** Reads a file's runs with the accounts or cards they had then, always in the same order. */
export function readSubmitted(
  sql: Queryable,
  { fileId, kind, date }: FileKey,
): AsyncIterable<SubmittedRow[]> {
  return sql<SubmittedRow[]>`
    select d.account_id, d.request_id, d.no, greatest(d.run_on, ${date}::date) as run_on,
      d.amount, r.mandate_id, r.description, m.details->>'short_description' as short_description,
      m.details->>'holder_id_number' as document, ${instrumentColumns(sql)}
    from debit_runs d ${joinRequests(sql, 'd', 'request_id')}
    ${joinMandates(sql, 'r', mandateKindOf[kind])} ${joinInstruments(sql, 'd')}
    where ${
      fileId === null
        ? sql`d.state = 'submitted' and d.file_id is null and d.code is null and d.kind = ${kind}
            and not d.charged`
        : sql`d.file_id = ${fileId}`
    }
    order by d.account_id, d.request_id, d.no`.cursor(rowsAtOnce);
}

/** A run by reference, with its debit and mandate. */
export type NamedRun = NamedMandate &
  Pick<DebitRow, 'id' | 'due2' | 'total2'> & {
    /** Index of its reference in the input, from 1. */
    place: number;
    no: DebitRun['no'];
    run_state: DebitRun['state'];
    amount: DebitRun['amount'];
    /** Number of the mandate's account or card in the file. Null if the run is in no file. */
    put_to: number | null;
  };

/** Finds runs of any account by request and number. Omits unknown ones. */
export const findNamedRuns = (
  sql: Queryable,
  kind: DebitKind,
  named: { requestId: number; no: number }[],
): Promise<NamedRun[]> => sql<NamedRun[]>`
  select key.place::int as place, r.id, r.due2, r.total2, d.no, d.state as run_state,
    d.amount, d.instrument_no as put_to, ${namedMandateColumns(sql)}
  from ${recordset(sql, 'key (request_id bigint, no smallint, place ordinality)', named)}
  join ${requestsOfKind(sql, kind)} on r.id = key.request_id
  join debit_runs d on d.account_id = r.account_id and d.request_id = r.id and d.no = key.no
  ${joinMandates(sql, 'r', mandateKindOf[kind])}`;

/** Returns a debit's last run, and whether it awaits a file. Returns null if there is none. */
export async function findLastRun(
  sql: Queryable,
  requestId: number,
): Promise<(Pick<DebitRun, 'account_id' | 'no' | 'kind'> & { waits: boolean }) | null> {
  const [run] = await sql<(Pick<DebitRun, 'account_id' | 'no' | 'kind'> & { waits: boolean })[]>`
    select d.account_id, d.no, d.kind,
      d.state = 'submitted' and d.file_id is null and d.code is null and not d.charged as waits
    from debit_runs d ${joinRequests(sql, 'd', 'request_id')}
    where r.id = ${requestId} order by d.no desc limit 1`;
  return run ?? null;
}

/** Returns the number and total of debits that await a file, per kind. */
export const countUnsent = (
  sql: Queryable,
): Promise<{ kind: DebitKind; debits: number; total: Centavos }[]> =>
  sql<{ kind: DebitKind; debits: number; total: Centavos }[]>`
    select kind, count(*)::int as debits, sum(amount)::bigint as total from debit_runs
    where state = 'submitted' and file_id is null and code is null and not charged
    group by kind order by kind`;
