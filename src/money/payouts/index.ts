export { type AskPayout, askPayout } from './ask.ts';
export { checkPayoutFiles, checkTransfers } from './audit.ts';
export { checkPayouts, payoutEvidence } from './evidence.ts';
export {
  payoutFileMaking,
  payoutFileMakingAll,
  payoutProposing,
  payoutWithdrawing,
} from './operations.ts';
export {
  type ApprovalTerms,
  type ApprovePayout,
  approvePayout,
  type Ordered,
  type OrderPayout,
  orderPayout,
} from './order.ts';
export { payableNow } from './payable.ts';
export { latestPayouts, type ReturnPayout, returnPayout } from './payouts.ts';
export { firstPayoutSince, listPayouts, type PayoutRow } from './reads.ts';
export { type OrderedOne, orderSeveral } from './several.ts';
export {
  type HandOverPayoutFile,
  handOverPayoutFile,
  listPayoutFiles,
  type MakePayoutFile,
  makePayoutFile,
  type OpenTransfers,
  oldestTransfer,
  openTransfers,
  type PayoutFile,
  payoutFilesOf,
  type WrittenPayoutFile,
  writtenPayoutFile,
} from './transfers.ts';
