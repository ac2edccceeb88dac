import type { Attempts, PayOutcome } from '../money/charges/index.ts';
import type { Actor } from '../platform/actor.ts';
import { Refusal } from '../platform/errors.ts';
import type { QrRow, QrState } from './row.ts';
import { paymentOpen, stateRefusal } from './state.ts';

/**
 * Charges a wallet the amount due on a QR. Throws 409 if another change came first, or an attempt
 * is open.
 */
export async function chargeWallet(
  attempts: Attempts,
  row: QrRow,
  { actor, reference }: { actor: Actor; reference: string },
  readState: () => Promise<QrState>,
): Promise<PayOutcome> {
  try {
    return await attempts.pay({
      request: row,
      channel: 'qr',
      instrument: { type: 'wallet' },
      actor,
      reference,
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    const state = await readState();
    if (state !== 'pending') throw stateRefusal(state, 'paid');
    const key = { accountId: row.account_id, id: row.id };
    throw (await attempts.hasOpen(key)) ? paymentOpen() : error;
  }
}
