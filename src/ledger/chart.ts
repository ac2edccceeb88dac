/**
 * The chart of accounts of each account holder's books. Amounts are centavos; debits are positive,
 * credits negative, so what the service owes (to the holder, the tax office) is a negative balance.
 */
export const ledgerAccounts = {
  holderUnavailable: 1,
  holderAvailable: 2,
  feeIncome: 3,
  vatPayable: 4,
  withholdingsPayable: 5,
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
} as const;

export type LedgerAccount = (typeof ledgerAccounts)[keyof typeof ledgerAccounts];

export const ledgerAccountName = (code: number): string =>
  Object.entries(ledgerAccounts).find(([, known]) => known === code)?.[0] ?? `account ${code}`;
