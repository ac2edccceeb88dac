import type { Centavos } from '../kernel/money.ts';
import type { Said } from '../language/said.ts';
import type { ChannelCode } from '../money/channels/index.ts';
import type { Refusal } from '../platform/errors.ts';
import { invalid } from '../platform/http/form.ts';

/** The body of POST /sandbox/pay/{request_id}; null for missing members. */
export interface SimulatedPayment {
  channel: ChannelCode | null;
  amount: Centavos | null;
  installments: number | null;
  card_number: string | null;
  cbu_number: string | null;
}

/** Returns the fault of a body's invalid field, in the format of a refused form. */
export const paymentFault = (field: keyof SimulatedPayment, why: Said): Refusal =>
  invalid({
    channel: {},
    amount: {},
    installments: {},
    card_number: {},
    cbu_number: {},
    [field]: { errors: [why] },
  });
