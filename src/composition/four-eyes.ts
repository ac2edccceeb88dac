import type { Config } from '../config/index.ts';
import { type Centavos, centavos } from '../kernel/money.ts';
import { approveCorrection, orderCorrection } from '../money/corrections/index.ts';
import {
  approvePayout,
  askPayout,
  handOverPayoutFile,
  makePayoutFile,
  orderPayout,
} from '../money/payouts/index.ts';
import { rejectProposal } from '../money/proposals/index.ts';
import type { Base } from '../platform/base.ts';

type Limits = Pick<
  Config,
  'PAYOUT_APPROVAL_ABOVE' | 'PAYOUT_CHANGE_DAYS' | 'CORRECTION_APPROVAL_ABOVE'
>;

const inCentavos = (pesos: number): Centavos => centavos(pesos * 100);

/**
 * Builds the operations that need two people above a limit, for the operator's pages and commands.
 */
export function createFourEyes(base: Base, config: Limits) {
  const payouts = {
    above: inCentavos(config.PAYOUT_APPROVAL_ABOVE),
    changeDays: config.PAYOUT_CHANGE_DAYS,
  };
  const corrections = { above: inCentavos(config.CORRECTION_APPROVAL_ABOVE) };
  return {
    limits: { payout: payouts.above, correction: corrections.above },
    orderPayout: orderPayout(base, payouts),
    approvePayout: approvePayout(base, payouts),
    askPayout: askPayout(base),
    orderCorrection: orderCorrection(base, corrections),
    approveCorrection: approveCorrection(base),
    reject: rejectProposal(base),
    makePayoutFile: makePayoutFile(base),
    handOverPayoutFile: handOverPayoutFile(base),
  };
}

export type FourEyes = ReturnType<typeof createFourEyes>;
