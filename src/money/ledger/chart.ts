/**
 * The chart of accounts, the same in every account's books and the operator's. Amounts are
 * centavos: debits positive, credits negative, so that the service's debts (to the holder, the tax
 * office, an unknown payer) are negative balances. docs/explanation/money.md lists the postings.
 */
export const ledgerAccounts = {
  holderUnavailable: 1,
  holderAvailable: 2,
  feeIncome: 3,
  vatPayable: 4,
  withholdingsPayable: 5,
  /** Money that no request claims yet. Only in the operator's books. */
  suspense: 6,
  /** Counterpart of the operator's corrections. */
  corrections: 7,
  /** Holders' money reserved for open refunds. */
  refundsInProgress: 8,
  clearingCreditCard: 101,
  clearingDebitCard: 102,
  clearingBanelcoPmc: 103,
  clearingLinkPagos: 104,
  clearingDebin: 105,
  clearingWireTransfer: 106,
  clearingNonBanking: 107,
  clearingQr: 108,
  clearingDirectDebit: 109,
  clearingCardDebit: 110,
  /** The operator's bank account, from which payouts and other transfers leave. */
  clearingPayouts: 201,
} as const;

export type LedgerAccount = (typeof ledgerAccounts)[keyof typeof ledgerAccounts];

export const ledgerAccountName = (code: number): string =>
  Object.entries(ledgerAccounts).find(([, known]) => known === code)?.[0] ?? `account ${code}`;
