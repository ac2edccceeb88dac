import { operatorBooks } from '../../accounts/index.ts';

/** What does not match, and whose it is. */
export interface Finding {
  accountId: string;
  what: string;
}

/** What came of comparing a day with a connector's list. */
export interface Reconciled {
  connector: string;
  day: Temporal.PlainDate;
  /** How many of ours the list had, and of which others it told. */
  charges: number;
  transfers: number;
  /** Lines of payouts that it listed. */
  settlements: number;
  /** What it owes of the charges of the last weeks; null: it lists no payouts. */
  unsettled: { charges: number; amount: number } | null;
  foreign: number;
  /** What was recorded now, because the list had it and the connector said so when it was asked. */
  recorded: Finding[];
  /** What did not match and could not be mended. */
  findings: Finding[];
}

export const newReport = (connector: string, day: Temporal.PlainDate): Reconciled => ({
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

/** More is not kept: somebody has to look at the day as a whole. */
const mostFindings = 10_000;

export function note(list: Finding[], accountId: string | null, what: string): void {
  if (list.length < mostFindings) list.push({ accountId: accountId ?? operatorBooks, what });
}

/** What lists had, and the accounts whose list could not be had. */
export interface Listed {
  seen: ReadonlySet<string>;
  unlisted: ReadonlySet<string>;
}

/** Notes accounts whose own list cannot be had. Nothing of theirs is missing from a list. */
export function listless(report: Reconciled) {
  const accounts = new Set<string>();
  return {
    accounts,
    noList(accountId: string, why: string): void {
      accounts.add(accountId);
      note(report.findings, accountId, `nothing was compared: ${why}`);
    },
  };
}
