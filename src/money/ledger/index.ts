export { auditLedger } from './audit.ts';
export { checkCauses } from './causes.ts';
export { type LedgerAccount, ledgerAccounts } from './chart.ts';
export { arrayText, type Cause, type Entry, entry, type JournalKind } from './journal.ts';
export {
  type HolderFigure,
  type Journal,
  type Movement,
  type MovementPlace,
  readJournal,
  readMovements,
} from './movements.ts';
export { booksCloser, type CloseBooks, holdStill, onOpenDay, posting } from './open-day.ts';
export {
  hasSealedJournals,
  journalsOfSeals,
  journalsWaiting,
  resultsOfJournals,
} from './relations.ts';
export { journalEvidence, sealAccount, sealAll, sealWaiting } from './seal.ts';
export { type CausedJournal, holderBalances, postJournal, postJournals } from './store.ts';
