import type { DebitRequests } from '../debit-requests/index.ts';
import { requestRefusal } from '../requests/index.ts';
import { refusal } from './codes.ts';
import type { SimulatedKind } from './kinds.ts';

/**
 * Refuses to pay debits by a call, because the simulated bank or processor answers on the day of
 * the run.
 */
export const simulatedDebitRequests = (debits: DebitRequests): SimulatedKind => ({
  permission: 'debits:read',
  pay: (_ctx, { state }) => Promise.reject(refusal('sandbox.debit_on_its_day', { state })),
  async show(ctx, { id }) {
    const debit = await debits.show(ctx, id);
    if (!debit) throw requestRefusal('request.not_found', {});
    return debit;
  },
});
