import type { DebitRequests } from '../debit-requests/index.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { SimulatedKind } from './kinds.ts';

/** Debits are not paid by call: the simulated bank or processor answers on the day of the run. */
export const simulatedDebitRequests = (debits: DebitRequests): SimulatedKind => ({
  pay: (_ctx, { state }) =>
    Promise.reject(
      conflict(
        `The debit is ${state}: it is taken on its day; move the clock with POST /sandbox/clock.`,
      ),
    ),
  async show(ctx, { id }) {
    const shown = await debits.show(ctx, id);
    if (!shown) throw notFound('debit request');
    return shown;
  },
});
