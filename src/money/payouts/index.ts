export { checkPayouts, payoutEvidence } from './evidence.ts';
export {
  firstPayoutSince,
  listPayouts,
  type PayoutRow,
  payoutsOf,
  returnPayout,
  sendPayout,
} from './payouts.ts';
