import { operatorBooks } from '../../accounts/index.ts';

/** A difference, with its account. */
export interface Finding {
  accountId: string;
  what: string;
}

/** The result of comparing a day with a connector's list. */
export interface DayReport {
  connector: string;
  day: Temporal.PlainDate;
  /** Number of listed charges that are ours. `foreign` counts the others. */
  charges: number;
  transfers: number;
  /** Lines of payouts that it listed. */
  settlements: number;
  /** The acquirer's debt for the charges of the last weeks. Null if it lists no settlements. */
  unsettled: { charges: number; amount: number } | null;
  foreign: number;
  /** Charges recorded now, because the list had them and an inquiry confirmed them. */
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

/** Notes accounts whose own list is unavailable, so that nothing of theirs counts as missing. */
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
