import { operatorBooks } from '../../accounts/index.ts';

/** A difference, with its account. Differences without one belong to the operator's books. */
export interface Finding {
  accountId: string;
  what: string;
}

export interface DayReport {
  connector: string;
  day: Temporal.PlainDate;
  /** Number of listed charges that are ours. `foreign` counts the others. */
  charges: number;
  transfers: number;
  /** Number of listed lines of payouts. */
  settlements: number;
  /** Charges of the last weeks that the acquirer still owes. Null if it lists no settlements. */
  unsettled: { charges: number; amount: number } | null;
  foreign: number;
  /**
   * Differences that the comparison resolved: charges that an inquiry confirmed, transfers and
   * reversals.
   */
  recorded: Finding[];
  /** Differences that could not be resolved. */
  findings: Finding[];
}

export const newReport = (connector: string, day: Temporal.PlainDate): DayReport => ({
  connector,
  day,
  charges: 0,
  transfers: 0,
  settlements: 0,
  unsettled: null,
  foreign: 0,
  recorded: [],
  findings: [],
});

/** Maximum number of stored findings. With more, a person must look at the entire day. */
const mostFindings = 10_000;

export function note(list: Finding[], accountId: string | null, what: string): void {
  if (list.length < mostFindings) list.push({ accountId: accountId ?? operatorBooks, what });
}

/** The listed charges, and the accounts whose list was unavailable. */
export interface ListCoverage {
  seen: ReadonlySet<string>;
  unlisted: ReadonlySet<string>;
}

/**
 * Returns `noList`, which notes accounts whose own list is unavailable, so that nothing of theirs
 * counts as missing.
 */
export function listless(report: DayReport) {
  const accounts = new Set<string>();
  return {
    accounts,
    noList(accountId: string, why: string): void {
      accounts.add(accountId);
      note(report.findings, accountId, `nothing was compared: ${why}`);
    },
  };
}
