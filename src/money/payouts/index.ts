export { listPayouts, returnPayout, sendPayout } from './payouts.ts';
