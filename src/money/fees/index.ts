export { feeEvidence } from './evidence.ts';
export {
  type FeeBook,
  type FeeTerms,
  feeOn,
  readFeeBooks,
  readFees,
  standardTerms,
} from './fees.ts';
export { endFees, setFees } from './terms.ts';
