import { checkRuns } from '../debit-requests/index.ts';
import { collectionChecks } from '../money/collections/index.ts';
import { checkCorrections } from '../money/corrections/index.ts';
import { auditLedger } from '../money/ledger/index.ts';
import { checkPayouts } from '../money/payouts/index.ts';
import { checkAssigned, checkSuspense } from '../money/suspense/index.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { auditFiles } from '../rails/index.ts';
import { auditReports } from '../reports/index.ts';
import { checkVersions } from '../requests/index.ts';
import { checkChain, checkRows, linkBefore, type SealKeys } from '../seals/index.ts';
import { evidences } from './evidences.ts';

/** Something in an account's data that does not match. */
export interface AuditFault {
  accountId: string;
  what: string;
}

/** What a noun says of its own data, as sentences. */
type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Each noun's own check: what can be worked out again from something else. */
const checks: readonly AuditCheck[] = [
  auditLedger,
  ...collectionChecks,
  checkPayouts,
  checkCorrections,
  checkSuspense,
  checkAssigned,
  checkVersions,
  checkRuns,
  auditReports,
  auditFiles,
];

export interface AuditOptions {
  /** The keys of seals; null: what needs them is not compared. */
  keys?: SealKeys | null;
  /** Only what was sealed from this moment on is compared with its digest; the sums are of all. */
  since?: Temporal.Instant | null;
}

/** What was sealed, against what is there, and the chain of the seals. */
async function auditSeals(
  sql: Queryable,
  accountId: string,
  { keys = null, since = null }: AuditOptions,
): Promise<string[]> {
  const trusted = since === null ? { no: 0, hash: null } : await linkBefore(sql, accountId, since);
  const faults = await checkChain(sql, keys, accountId, trusted);
  if (keys === null) return faults;
  for (const evidence of evidences) {
    faults.push(...(await checkRows(sql, keys, accountId, evidence, trusted.no)));
  }
  return faults;
}

/** The same in a transaction that the caller opened. */
export async function auditIn(
  tx: Queryable,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> {
  const found: string[] = [];
  for (const check of checks) found.push(...(await check(tx, accountId)));
  found.push(...(await auditSeals(tx, accountId, options)));
  return found.map((what) => ({ accountId, what }));
}

/**
 * Audits one account from one snapshot: asks every noun for its own check, then compares what
 * cannot be worked out again with its sealed digest. An empty list means that all adds up.
 */
export async function auditAccount(
  sql: Sql,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> {
  return await sql.begin('isolation level repeatable read read only', (tx) =>
    auditIn(tx, accountId, options),
  );
}
