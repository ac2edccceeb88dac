export { checkPayouts, payoutEvidence } from './evidence.ts';
export {
  firstPayoutSince,
  latestPayouts,
  listPayouts,
  type PayoutRow,
  payoutsOf,
  returnPayout,
  sendPayout,
} from './payouts.ts';
