export { collectionChecks, collectionRemarks } from './audit/index.ts';
export { growthOf, totalsByDay, totalsOn, totalsUntil } from './daily/growth.ts';
export { dailyTotals } from './daily/store.ts';
export {
  type CollectedTotals,
  type DailyTotal,
  readDailyTotals,
  sumOfTotals,
  type TotalFigures,
} from './daily/totals.ts';
export { resultEvidence, withheldEvidence } from './evidence.ts';
export { type FindRequest, type FoundRequest, requestFinder, withResults } from './find.ts';

export { eraseResults, exportResults, resultsNeeded } from './personal.ts';
export { presentResults, presentRetention } from './present.ts';
export { type MovedPromises, movePromises } from './promises.ts';
export {
  batchedRecord,
  eventData,
  type PaymentFact,
  type PrepareFacts,
  prepareFacts,
  type RecordFact,
  type RecordFacts,
  type RecordOutcome,
  recordFacts,
} from './record.ts';
export { chargebacksAmong, countChargebacks, countRejectedDebits } from './rejected.ts';
export {
  firstPaidSince,
  joinMoney,
  joinPayments,
  lookUpResults,
  paidThrough,
  refusedAttempts,
  restoredSum,
  resultFrom,
  retakenSum,
} from './relations.ts';
export { releaseSweep } from './release.ts';
export {
  attemptOf,
  grossFeeOf,
  isLive,
  isMoneyOf,
  netOf,
  type PaymentMetadata,
  paymentsIn,
  type ResultDetails,
  type ResultRow,
  type ResultType,
  refusedThenApproved,
} from './result.ts';
export {
  connectorSource,
  findBySource,
  resultsOfSource,
  trxRef,
  typeRecorded,
} from './sources.ts';
export {
  hasOtherLive,
  latestResults,
  lockLastPayment,
  lockPayment,
  putAside,
  readMoneyOf,
  readPayment,
  readResults,
  readRetentions,
  readSourced,
  readWithholdings,
  requestsPaidOnce,
  type WithholdingLine,
} from './store.ts';
export { threeDsOfAttempts, threeDsOfLast } from './three-ds.ts';
export { type ComingDay, readToCome } from './to-come.ts';
export { type ResultWrite, writeResults } from './write.ts';
