import { everyAccount } from '../../accounts/index.ts';
import { dayOf } from '../../kernel/dates.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { PaymentFact } from './record.ts';
import type { ResultRow, ResultType } from './result.ts';

/** Returns the source of a connector's facts. No other source starts like this. */
export const connectorSource = (connector: string): string => `connector:${connector}`;

/** Returns the source reference of a wallet's payment. */
export const trxRef = (trx: string): string => `qr ${trx}`;

/** Returns the type of a fact's recorded result, or null if it is not recorded. */
export async function typeRecorded(
  sql: Queryable,
  { request, source, sourceRef }: Pick<PaymentFact, 'request' | 'source' | 'sourceRef'>,
): Promise<ResultType | null> {
  const [row] = await sql<{ type: ResultType }[]>`
    select type from results where account_id = ${request.account_id} and source = ${source}
      and source_ref = ${sourceRef}`;
  return row?.type ?? null;
}

export type SourcedResult = Pick<
  ResultRow,
  'account_id' | 'id' | 'request_id' | 'amount' | 'refunded' | 'charged_back'
>;

/** Finds a result of any account by its source and reference. Returns null if there is none. */
export async function findBySource(
  sql: Queryable,
  source: string,
  sourceRef: string,
): Promise<SourcedResult | null> {
  const [row = null] = await sql<SourcedResult[]>`
    select r.account_id, r.id, r.request_id, r.amount, r.refunded, r.charged_back from ${everyAccount(sql)}
    join results r on r.account_id = a.account_id and r.source = ${source} and r.source_ref = ${sourceRef}
    limit 1`;
  return row;
}

/** Reads a source's collections paid between two instants whose references have a prefix. */
export const resultsOfSource = (
  sql: Queryable,
  {
    source,
    begins,
    from,
    until,
  }: {
    source: string;
    begins: string;
    from: Temporal.Instant;
    until: Temporal.Instant;
  },
): Promise<Pick<ResultRow, 'account_id' | 'source_ref' | 'amount'>[]> =>
  sql<Pick<ResultRow, 'account_id' | 'source_ref' | 'amount'>[]>`
    select r.account_id, r.source_ref, r.amount from ${everyAccount(sql)}
    join results r on r.account_id = a.account_id and r.source = ${source}
      and starts_with(r.source_ref, ${begins}) and r.type = 'collected'
      -- By the index of days. A connector's clock may be ahead of ours.
      and r.informed_on >= ${dayOf(from).subtract({ days: 1 })}::date
      and r.paid_at >= ${from}::timestamptz and r.paid_at < ${until}::timestamptz
    order by r.paid_at, r.id`;
