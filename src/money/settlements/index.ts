export { addLine, emptyComparison, type Judged, judgedPages, judgeLines } from './compare.ts';
export { checkSettlements, settlementEvidence } from './evidence.ts';
export {
  faultText,
  type LineFault,
  overdueOf,
  owedOf,
  type SettlementKind,
  type SettlementLine,
  unexplainedOf,
} from './line.ts';

export {
  changedSince,
  keepComparison,
  keepSettlements,
  type ListedLine,
  linesOf,
  listSettlements,
  type PayoutRow,
  payoutsToCompare,
  readPayout,
  unclaimedLines,
} from './store.ts';
export { type AcquirerDebt, chargeKey, settledSums } from './sums.ts';
