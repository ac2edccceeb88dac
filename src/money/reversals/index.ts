export {
  figuresOf,
  type HeldRefund,
  type Reversal,
  type ReversalFacts,
  setAside,
} from './reversal.ts';
export { paymentOf, type Reverse, readTerms, reversalIds, reverse, reverseIn } from './reverse.ts';
