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
  type AuthoredFeeChange,
  checkFees,
  type FeeVersion,
  feeBookAt,
  feeRulings,
  lastFeeChanges,
  readFeeHistory,
} from './history.ts';
export { feeEnding, feeList, feeSetting } from './operations.ts';
export { endFees, setFees, termsFormValues } from './terms.ts';
