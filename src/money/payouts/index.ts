export { checkPayouts, payoutEvidence } from './evidence.ts';
export { listPayouts, type PayoutRow, payoutsOf, returnPayout, sendPayout } from './payouts.ts';
