import type { CardBrand } from '../../kernel/card-number.ts';
import { joinMandates } from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { requestsOfKind } from '../../requests/index.ts';
import { type DebitKind, type DebitRun, mandateKindOf } from '../debit.ts';

interface Claim {
  fileId: number;
  kind: DebitKind;
  /** Card brands. Null for all. */
  brands: readonly CardBrand[] | null;
}

/**
 * Assigns submitted runs that are in no file to a file, with each mandate's current account or
 * card. Skips runs that a connector charges, answered runs, and runs whose debit is no longer in
 * process.
 */
export async function claimRuns(sql: Queryable, { fileId, kind, brands }: Claim): Promise<void> {
  const brandList = brands && [...brands];
  await sql`
    update debit_runs d set file_id = ${fileId}, instrument_no = m.instrument_no
    from ${requestsOfKind(sql, kind)} ${joinMandates(sql, 'r', mandateKindOf[kind])}
    where d.state = 'submitted' and d.file_id is null and d.code is null and d.kind = ${kind}
      and not d.charged
      and r.account_id = d.account_id and r.id = d.request_id and r.state = 'in_process'
      and (${brandList}::text[] is null or m.details->>'brand' = any(${brandList}::text[]))`;
}

/** Releases claimed runs that the file leaves out. */
export async function releaseRuns(
  sql: Queryable,
  fileId: number,
  runs: Pick<DebitRun, 'request_id' | 'no'>[],
): Promise<void> {
  await sql`
    update debit_runs d set file_id = null, instrument_no = null
    from ${recordset(sql, 'released (request_id bigint, no smallint)', runs)}
    where d.file_id = ${fileId} and d.request_id = released.request_id and d.no = released.no`;
}
