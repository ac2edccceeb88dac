import { type Centavos, minus, negate, plus, sumOf, zero } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { type LedgerAccount, ledgerAccounts } from '../chart.ts';
import type { JournalKind } from '../journal.ts';
import type { Period } from './days.ts';
import { daysOf } from './store.ts';

const { holderAvailable, holderUnavailable } = ledgerAccounts;
const ofHolder: readonly LedgerAccount[] = [holderAvailable, holderUnavailable];

export interface HolderBalance {
  available: Centavos;
  unavailable: Centavos;
  total: Centavos;
}

/**
 * Effect of one kind of journal on the holder's balances through one counterpart, such as a
 * channel's clearing account or fee income. Each journal sums to zero, so all lines together equal
 * the difference between the opening and the closing balance.
 */
export interface StatementLine {
  kind: JournalKind;
  ledger_account: LedgerAccount;
  /** Positive if the holder gained. */
  amount: Centavos;
  journals: number;
}

/** Groups of statement lines, in reading order. */
export const statementGroups = [
  'collected',
  'fees',
  'vat',
  'withholdings',
  'refunds',
  'chargebacks',
  'refundsInProgress',
  'payouts',
  'corrections',
  'other',
] as const;
export type StatementGroup = (typeof statementGroups)[number];

export interface Statement extends Period {
  opening: HolderBalance;
  /** Non-empty groups with totals. Every line is in one group. */
  groups: readonly {
    group: StatementGroup;
    amount: Centavos;
    lines: readonly StatementLine[];
  }[];
  /** Sum of all lines. */
  moved: Centavos;
  /** Amount that became available in the period. */
  released: Centavos;
  closing: HolderBalance;
}

const ofAccount: Partial<Record<LedgerAccount, StatementGroup>> = {
  [ledgerAccounts.feeIncome]: 'fees',
  [ledgerAccounts.vatPayable]: 'vat',
  [ledgerAccounts.withholdingsPayable]: 'withholdings',
  [ledgerAccounts.refundsInProgress]: 'refundsInProgress',
  [ledgerAccounts.corrections]: 'corrections',
};

/**
 * Groups by kind of journal, for counterparts that `ofAccount` does not list: channels' clearing
 * accounts, and the bank.
 */
const ofKind: Partial<Record<JournalKind, StatementGroup>> = {
  collection: 'collected',
  refund: 'refunds',
  chargeback: 'chargebacks',
  payout: 'payouts',
  payout_return: 'payouts',
};

const groupOf = ({ kind, ledger_account: account }: StatementLine): StatementGroup =>
  ofAccount[account] ?? ofKind[kind] ?? 'other';

const inGroups = (lines: readonly StatementLine[]): Statement['groups'] =>
  statementGroups.flatMap((group) => {
    const own = lines.filter((line) => groupOf(line) === group);
    if (own.length === 0) return [];
    return { group, amount: sumOf(own.map(({ amount }) => amount)), lines: own };
  });

interface Sum {
  before: boolean;
  ledger_account: LedgerAccount;
  kind: JournalKind;
  owed: Centavos;
  journals: number;
}

const balanceOf = (sums: readonly Sum[]): HolderBalance => {
  const of = (account: LedgerAccount): Centavos =>
    sumOf(sums.filter((sum) => sum.ledger_account === account).map(({ owed }) => owed));
  const [available, unavailable] = [of(holderAvailable), of(holderUnavailable)];
  return { available, unavailable, total: plus(available, unavailable) };
};

/**
 * Returns an account's statement: opening balance, movements by kind and counterpart, closing
 * balance. If the period includes today, the closing balance equals `holderBalances`.
 */
export async function readStatement(
  sql: Queryable,
  accountId: string,
  { from, to }: Period,
): Promise<Statement> {
  const condition = sql`
    day <= ${to}::date
      and (day >= ${from}::date or ledger_account = any(${[...ofHolder]}::smallint[]))`;
  const sums = await sql<Sum[]>`
    select day < ${from}::date as before, ledger_account, kind,
      sum(credit - debit)::bigint as owed, sum(debits + credits)::bigint as journals
    from (${daysOf(sql, accountId, condition)}) as parts
    group by 1, ledger_account, kind order by kind, ledger_account`;
  const isOfHolder = ({ ledger_account }: Sum): boolean => ofHolder.includes(ledger_account);
  const opening = balanceOf(sums.filter(({ before }) => before));
  const within = sums.filter(({ before }) => !before);
  const lines = within
    .filter((sum) => !isOfHolder(sum))
    .map(
      ({ kind, ledger_account, owed, journals }): StatementLine => ({
        kind,
        ledger_account,
        amount: negate(owed),
        journals,
      }),
    );
  const released = within.find(
    ({ kind, ledger_account: account }) => kind === 'release' && account === holderAvailable,
  );
  const moved = sumOf(lines.map(({ amount }) => amount));
  const closing = balanceOf(sums.filter(isOfHolder));
  if (minus(closing.total, opening.total) !== moved) {
    throw new Error(`the statement of ${accountId}, ${from} to ${to}, does not add up`);
  }
  const groups = inGroups(lines);
  return { from, to, opening, groups, moved, released: released?.owed ?? zero, closing };
}
