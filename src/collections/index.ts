export { openAttemptsOf } from './attempt.ts';
export { type Attempts, openAttempts, type PayOutcome } from './attempts.ts';
export { auditAccount } from './audit.ts';
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
export { type ChannelCode, channelCodes, channels } from './channels.ts';
export { expirySweep } from './expire.ts';
export { presentResult, presentRetention } from './present.ts';
export { batchedRecord, type RecordFact, recordFacts } from './record.ts';
export { releaseSweep } from './release.ts';
export type { ResultRow } from './result.ts';
export { type Reverse, reverse } from './reverse.ts';
export { readResults, readRetentions, type WithholdingLine } from './store.ts';
