import { checkAsked, checkRuns } from '../debit-requests/index.ts';
import { checkMandates } from '../mandates/index.ts';
import { collectionChecks, collectionRemarks } from '../money/collections/index.ts';
import { checkCorrections } from '../money/corrections/index.ts';
import { checkFees } from '../money/fees/index.ts';
import { auditLedger } from '../money/ledger/index.ts';
import { checkPayouts } from '../money/payouts/index.ts';
import { refundChecks } from '../money/refunds/index.ts';
import { checkAssigned, checkSuspense } from '../money/suspense/index.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { workDone } from '../platform/progress.ts';
import { auditFiles } from '../rails/index.ts';
import { auditReports } from '../reports/index.ts';
import { checkStates, checkVersions, overdueRequests } from '../requests/index.ts';
import { checkChain, checkRows, linkBefore, type SealKeys } from '../seals/index.ts';
import { evidences } from './evidences.ts';

/** Something in an account's data that somebody should look at. */
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
  ...refundChecks,
  checkCorrections,
  checkSuspense,
  checkAssigned,
  checkFees,
  checkVersions,
  checkStates,
  checkMandates,
  checkRuns,
  checkAsked,
  auditReports,
  auditFiles,
];

/** How many steps the audit of an account tells as done. */
export const auditSteps = (keys: SealKeys | null): number =>
  checks.length + (keys === null ? 0 : evidences.length);

export interface AuditOptions {
  /** The keys of seals; null: what needs them is not compared. */
  keys?: SealKeys | null;
  /**
   * Only what was sealed from this moment on is compared with its digest: what was sealed before is
   * trusted, with the last link before it. What is worked out again is worked out of all.
   */
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
    workDone(1);
  }
  return faults;
}

/** The faults of an account, in a transaction that the caller opened. */
export async function auditIn(
  tx: Queryable,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> {
  const found: string[] = [];
  for (const check of checks) {
    found.push(...(await check(tx, accountId)));
    workDone(1);
  }
  found.push(...(await auditSeals(tx, accountId, options)));
  return found.map((what) => ({ accountId, what }));
}

/** What somebody should know of, and is no fault. */
async function remarksIn(
  tx: Queryable,
  accountId: string,
  today: Temporal.PlainDate,
): Promise<AuditFault[]> {
  const found = await overdueRequests(tx, accountId, today);
  for (const look of collectionRemarks) found.push(...(await look(tx, accountId)));
  return found.map((what) => ({ accountId, what }));
}

/** What an audit finds of one account. */
export interface AuditReport {
  /** What does not match; none means that all adds up. */
  faults: AuditFault[];
  /** What was late or is behind, and was noted as such: it adds up all the same. */
  remarks: AuditFault[];
}

const snapshot = 'isolation level repeatable read read only';

/**
 * Audits one account from one snapshot: asks every noun for its own check, then compares what
 * cannot be worked out again with its sealed digest. `today` is the business day.
 */
export const reportAccount = (
  sql: Sql,
  accountId: string,
  today: Temporal.PlainDate,
  options: AuditOptions = {},
): Promise<AuditReport> =>
  sql.begin(snapshot, async (tx) => ({
    faults: await auditIn(tx, accountId, options),
    remarks: await remarksIn(tx, accountId, today),
  }));

/** The faults alone. */
export const auditAccount = (
  sql: Sql,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> => sql.begin(snapshot, (tx) => auditIn(tx, accountId, options));
