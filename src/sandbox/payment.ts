import type { Centavos } from '../kernel/money.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import type { ChannelCode } from '../money/channels/index.ts';
import type { Refusal } from '../platform/errors.ts';
import { invalid } from '../platform/http/form.ts';

/** The body of POST /sandbox/pay/{request_id}. Missing members are null. */
export interface SimulatedPayment {
  channel: ChannelCode | null;
  amount: Centavos | null;
  installments: number | null;
  card_number: string | null;
  cbu_number: string | null;
}

/** Returns a refusal for an invalid field, in the format of form errors. */
export const paymentFault = (field: keyof SimulatedPayment, why: LocalizedText): Refusal =>
  invalid({
    channel: {},
    amount: {},
    installments: {},
    card_number: {},
    cbu_number: {},
    [field]: { errors: [why] },
  });
