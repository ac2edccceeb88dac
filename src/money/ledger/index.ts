export { auditLedger } from './audit.ts';
export { checkCauses } from './causes.ts';
export { type LedgerAccount, ledgerAccountName, ledgerAccounts } from './chart.ts';
export { type Period, readLedgerDays } from './days/days.ts';
export { readSideMovements, readSideTotal, type Side } from './days/side.ts';
export {
  type HolderBalance,
  readStatement,
  type Statement,
  type StatementGroup,
  type StatementLine,
} from './days/statement.ts';
export { type LedgerDay, ledgerDays } from './days/store.ts';
export { type Folding, foldAccount, foldAccounts, journalsUnfolded } from './folding.ts';
export { forgedWaiting } from './forged.ts';
export {
  arrayText,
  type Cause,
  type Entry,
  entry,
  type JournalKind,
  journalKinds,
} from './journal.ts';
export {
  type HolderFigure,
  type Journal,
  type Movement,
  type MovementPlace,
  readJournal,
  readMovements,
} from './movements.ts';
export { type JournalPlace, journalsOfRequest, type RequestJournal } from './of-request.ts';
export {
  booksCloser,
  type CloseBooks,
  holdStill,
  isClosed,
  onOpenDay,
  posting,
} from './open-day.ts';

export { resultsOfJournals } from './relations.ts';
export { journalEvidence, sealAccount, sealAll, sealWaiting } from './seal.ts';
export { stampedJournals, stampJournals } from './stamp.ts';
export {
  availableBalances,
  type CausedJournal,
  holderBalances,
  postJournal,
  postJournals,
} from './store.ts';
