export { type AuditFault, auditLedger } from './audit.ts';
export { type LedgerAccount, ledgerAccounts } from './chart.ts';
export { arrayText, type Entry, entry, type JournalKind } from './journal.ts';
export { accountsToSeal, sealAccount, sealWaiting } from './seal.ts';
export { holderBalances, postJournals } from './store.ts';
