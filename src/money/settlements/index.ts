export { addLine, emptyComparison, type Judged, judgedPages, judgeLines } from './compare.ts';
export { checkSettlements, settlementEvidence } from './evidence.ts';
export {
  faultText,
  type LineFault,
  overdueOf,
  owedOf,
  type SettlementKind,
  type SettlementLine,
} from './line.ts';
export {
  changedSince,
  chargeKey,
  keepComparison,
  keepSettlements,
  type ListedLine,
  linesOf,
  listSettlements,
  type Owed,
  type PayoutRow,
  payoutsToCompare,
  readPayout,
  settledSums,
  unclaimedLines,
  unexplainedOf,
} from './store.ts';
