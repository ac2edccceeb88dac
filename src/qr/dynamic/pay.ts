import type { Attempts, PayOutcome } from '../../money/charges/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { stateOn } from '../../requests/index.ts';
import { chargeWallet } from '../charge-wallet.ts';
import { stateRefusal } from '../state.ts';
import type { FoundQr, GetQr } from './get.ts';

export interface QrPaid {
  outcome: PayOutcome;
  /** The QR after the payment. */
  found: FoundQr;
}

/** Pays a QR. A repetition with the same reference counts once. */
export type PayQr = (ctx: Ctx, sent: string, reference: string) => Promise<QrPaid>;

/** Simulates a wallet that pays the amount due today. Throws 409 if the QR is not payable now. */
export function payQr({ clocks }: Base, get: GetQr, attempts: Attempts): PayQr {
  const stateOf = ({ row }: FoundQr) => stateOn(row, clocks.business.today());
  return async (ctx, sent, reference) => {
    const earlier = await attempts.outcomeByReference(ctx.accountId, reference);
    if (earlier) return { outcome: earlier.outcome, found: await get(ctx, sent) };
    const found = await get(ctx, sent);
    const state = stateOf(found);
    if (state !== 'pending') throw stateRefusal(state, 'paid');
    const readState = async () => stateOf(await get(ctx, sent));
    const outcome = await chargeWallet(
      attempts,
      found.row,
      { actor: ctx.actor, reference },
      readState,
    );
    return { outcome, found: await get(ctx, sent) };
  };
}
