export { collectionChargeback, collectionRefund } from './operations.ts';
export { returnedBetween } from './pro-rata.ts';
export {
  canBeRefunded,
  figuresOf,
  leftOf,
  type ReservedRefund,
  type Reversal,
  type ReversalFacts,
  setAside,
} from './reversal.ts';
export { lockTarget, type Reverse, readTerms, reversalIds, reverse, reverseIn } from './reverse.ts';
