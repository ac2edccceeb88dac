import { operatorBooks } from '../accounts/index.ts';
import { checkCalendarDays } from '../calendar/index.ts';
import { checkReconciled } from '../connectors/index.ts';
import { checkCarried, checkOrders, checkRuns, checkRunTerms } from '../debit-requests/index.ts';
import { eventEvidence, operatorEventEvidence } from '../events/index.ts';
import { checkMandates } from '../mandates/index.ts';
import { checkAttempts } from '../money/charges/index.ts';
import { collectionChecks, collectionRemarks } from '../money/collections/index.ts';
import { checkCorrections } from '../money/corrections/index.ts';
import { checkRestored } from '../money/disputes/index.ts';
import { checkFees } from '../money/fees/index.ts';
import { auditLedger } from '../money/ledger/index.ts';
import { checkPayoutFiles, checkPayouts, checkTransfers } from '../money/payouts/index.ts';
import { checkApproved } from '../money/proposals/index.ts';
import { refundChecks } from '../money/refunds/index.ts';
import { checkSettlements } from '../money/settlements/index.ts';
import { checkAssigned, checkSuspense } from '../money/suspense/index.ts';
import { checkUnwantedApprovals } from '../money/unwanted/index.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { readSnapshot } from '../platform/postgres/snapshot.ts';
import { workDone } from '../platform/progress.ts';
import { checkTransactions } from '../qr/index.ts';
import { auditFiles } from '../rails/index.ts';
import { auditReports } from '../reports/index.ts';
import {
  checkStates,
  checkStoredStates,
  checkVersions,
  overdueRequests,
} from '../requests/index.ts';
import {
  checkChain,
  checkPosition,
  checkRows,
  checkStamps,
  linkBefore,
  type SealKeys,
} from '../seals/index.ts';
import { evidences, stamped } from './evidences.ts';

/** A fault in an account's data that needs a person. */
export interface AuditFault {
  accountId: string;
  what: string;
}

/** A noun's check of its own data. Returns faults as sentences. */
type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Runs a check of data without an account as part of the operator's books. */
const ofOperator =
  (check: (sql: Queryable) => Promise<string[]>): AuditCheck =>
  async (sql, accountId) =>
    accountId === operatorBooks ? await check(sql) : [];

/** Checks of each noun. They recompute all data that can be derived from other data. */
const checks: readonly AuditCheck[] = [
  auditLedger,
  ...collectionChecks,
  checkPayouts,
  checkTransfers,
  ofOperator(checkPayoutFiles),
  checkAttempts,
  checkUnwantedApprovals,
  checkApproved,
  ...refundChecks,
  checkRestored,
  checkCorrections,
  checkSuspense,
  checkAssigned,
  ofOperator(checkSettlements),
  checkFees,
  checkVersions,
  checkStates,
  checkStoredStates,
  checkMandates,
  checkRuns,
  checkRunTerms,
  checkOrders,
  checkCarried,
  checkTransactions,
  auditReports,
  auditFiles,
  ofOperator(checkCalendarDays),
  checkReconciled,
];

export interface AuditOptions {
  /** Keys of seals. Null skips checks that need them. */
  keys?: SealKeys | null;
  /**
   * Limits the comparison of digests and stamps to rows sealed or written since this instant.
   * Trusts older rows and the last link of the chain before it. Recomputes everything else.
   */
  since?: Temporal.Instant | null;
}

/**
 * Returns checks of the chain of seals and, if there are keys, of the sealer's position and of
 * sealed and stamped rows.
 */
function sealChecks({ keys = null, since = null }: AuditOptions): AuditCheck[] {
  const trustedOf = async (sql: Queryable, accountId: string) =>
    since === null ? { no: 0, hash: null } : await linkBefore(sql, accountId, since);
  const chain: AuditCheck = async (sql, accountId) =>
    await checkChain(sql, keys, accountId, await trustedOf(sql, accountId));
  if (keys === null) return [chain];
  const positions = [eventEvidence, operatorEventEvidence].map(
    (evidence): AuditCheck =>
      async (sql, accountId) => {
        const { no } = await trustedOf(sql, accountId);
        return await checkPosition(sql, accountId, evidence, no);
      },
  );
  const rows = evidences.map(
    (evidence): AuditCheck =>
      async (sql, accountId) => {
        const { no } = await trustedOf(sql, accountId);
        return await checkRows(sql, keys, accountId, evidence, no);
      },
  );
  const stamps = stamped.map(
    (one): AuditCheck =>
      (sql, accountId) =>
        checkStamps(sql, keys, accountId, one, since),
  );
  return [chain, ...positions, ...rows, ...stamps];
}

/** Runs checks concurrently on connections with one snapshot. Returns results in order. */
async function runChecks(
  readers: readonly Queryable[],
  accountId: string,
  all: readonly AuditCheck[],
): Promise<AuditFault[]> {
  const found: string[][] = all.map(() => []);
  const waiting = all.entries();
  const read = async (reader: Queryable): Promise<void> => {
    for (const [place, check] of waiting) {
      found[place] = await check(reader, accountId);
      workDone(1);
    }
  };
  await Promise.all(readers.map(read));
  return found.flat().map((what) => ({ accountId, what }));
}

export const auditChecks = (options: AuditOptions = {}): readonly AuditCheck[] => [
  ...checks,
  ...sealChecks(options),
];

/** Returns an account's faults, within the caller's transaction. */
export const auditIn = (
  tx: Queryable,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> => runChecks([tx], accountId, auditChecks(options));

/** Returns checks that find irregularities which are not faults. */
const remarks = (today: Temporal.PlainDate): AuditCheck[] => [
  (sql, accountId) => overdueRequests(sql, accountId, today),
  ...collectionRemarks,
];

/** Returns the number of progress steps in an account's report. */
export const auditSteps = (options: AuditOptions): number =>
  checks.length + sealChecks(options).length + 1 + collectionRemarks.length;

export interface AuditReport {
  /** Mismatches. Empty if everything adds up. */
  faults: AuditFault[];
  /** Delays because no sweep ran, which are not faults. */
  remarks: AuditFault[];
}

/** Parallel statements of an audit, each of which occupies a core of the database. */
const auditors = 2;

/**
 * Audits one account from one snapshot: checks its seals and stamps, and runs every noun's checks.
 * `today` is the business day. Occupies up to two connections of the pool.
 */
export const reportAccount = (
  sql: Sql,
  accountId: string,
  today: Temporal.PlainDate,
  options: AuditOptions = {},
): Promise<AuditReport> =>
  readSnapshot(sql, auditors, async (readers) => ({
    faults: await runChecks(readers, accountId, [...sealChecks(options), ...checks]),
    remarks: await runChecks(readers, accountId, remarks(today)),
  }));

/** Returns an account's faults from one snapshot, on a single connection. */
export const auditAccount = (
  sql: Sql,
  accountId: string,
  options: AuditOptions = {},
): Promise<AuditFault[]> =>
  readSnapshot(sql, 1, async ([reader = sql]) => await auditIn(reader, accountId, options));
