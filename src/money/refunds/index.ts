export type { EndRefund, RefundEnd } from './end.ts';
export { endRefund } from './end.ts';
export { refundChecks, refundEvidence } from './evidence.ts';
export { refundDone, refundFailing, refundLimiting } from './operations.ts';
export type { OrderedRefund } from './order.ts';
export type { Refundable, RefundRow } from './refund.ts';
export { transferredSum } from './relations.ts';
export { countOpenRefunds, readTransfers } from './store.ts';
export { createRefundVerbs, type RefundVerbs } from './verbs.ts';
