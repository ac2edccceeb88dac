export { checkPayouts, payoutEvidence } from './evidence.ts';
export { listPayouts, returnPayout, sendPayout } from './payouts.ts';
