export { feeEvidence } from './evidence.ts';
export {
  bookOf,
  type FeeBook,
  type FeeRow,
  type FeeTerms,
  feeOn,
  readFeeBooks,
  readFees,
  standardTerms,
} from './fees.ts';
export {
  checkFees,
  type FeeVersion,
  feeBookAt,
  feeRulings,
  lastFeeChanges,
  readFeeHistory,
  type ToldFeeChange,
} from './history.ts';
export { feeEnding, feeList, feeSetting } from './operations.ts';
export { endFees, heldTerms, setFees } from './terms.ts';
