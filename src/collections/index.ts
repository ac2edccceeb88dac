export { openAttemptsOf } from './attempt.ts';
export { type Attempts, openAttempts, type PayOutcome } from './attempts.ts';
export { type AuditCheck, auditAccount } from './audit.ts';
export { cardBrands } from './card-brands.ts';
export type {
  BankAccountInstrument,
  CardInstrument,
  Channel,
  Channels,
  Charge,
  ChargeOutcome,
  ChargeReference,
  Instrument,
} from './channel.ts';
export { type ChannelCode, channelCodes, channels, type PayerChannel } from './channels.ts';
export { correct, listCorrections } from './corrections.ts';
export { expirySweep } from './expire.ts';
export { endFees, setFees } from './fee-terms.ts';
export { readFees, standardTerms } from './fees.ts';
export { type FindRequest, type FoundRequest, requestFinder } from './find.ts';
export { listPayouts, returnPayout, sendPayout } from './payouts.ts';
export { presentResult, presentRetention } from './present.ts';
export {
  batchedRecord,
  type PaymentFact,
  prepareFacts,
  type RecordFact,
  type RecordFacts,
  recordFacts,
} from './record.ts';
export { importRegister, type RegisterReport } from './register/import.ts';
export { releaseSweep } from './release.ts';
export {
  assignSuspense,
  listSuspense,
  returnSuspense,
  type SuspenseRow,
} from './resolve-suspense.ts';
export type { ResultRow } from './result.ts';
export type { Reversal } from './reversal.ts';
export { type Reverse, reverse } from './reverse.ts';
export { resultAnswer, retentionAnswer } from './schema.ts';
export { readRetentions, type WithholdingLine } from './store.ts';
export { type Suspend, type SuspenseReason, suspend, type UnmatchedMoney } from './suspense.ts';
