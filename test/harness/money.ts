import { centavos } from '../../src/kernel/money.ts';
import { orderCorrection } from '../../src/money/corrections/index.ts';
import { orderPayout } from '../../src/money/payouts/index.ts';
import type { Base } from '../../src/platform/base.ts';

/** Disables dual approval. */
const unlimited = { above: centavos(Number.MAX_SAFE_INTEGER), changeDays: 0 };

type Ordered<Order> = Omit<Order, 'by'>;

/** Sends a payout at once, whatever the amount. */
export const sendPayout =
  (base: Base) => async (order: Ordered<Parameters<ReturnType<typeof orderPayout>>[0]>) => {
    const ordered = await orderPayout(base, unlimited)({ ...order, by: null });
    if (ordered.outcome === 'proposed') throw new Error('The payout waits for a second person.');
    return ordered;
  };

/** Corrects a balance at once, whatever the amount. */
export const correct =
  (base: Base) => async (order: Ordered<Parameters<ReturnType<typeof orderCorrection>>[0]>) => {
    const { outcome } = await orderCorrection(base, unlimited)({ ...order, by: null });
    if (outcome === 'proposed') throw new Error('The correction waits for a second person.');
    return outcome;
  };
