export { feeEvidence } from './evidence.ts';
export {
  type FeeBook,
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
  readFeeHistory,
} from './history.ts';
export { endFees, setFees } from './terms.ts';
