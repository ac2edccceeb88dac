import { type Static, Type } from 'typebox';
import { pending, unheard } from './charges.ts';
import { account, alarm, centavos, id, moment, reference, text } from './fields.ts';

/** `PUT /charges/{attempt}/refunds/{refund}`. */
export const refundSchema = Type.Object({
  attempt: id('The charge'),
  refund: id('The id of the address again'),
  business_time: moment('Now, on the business clock'),
  account,
  reference: text(64, "The acquirer's id of the charge, as its approval told it"),
  charged: centavos('What the charge took'),
  refunded_before: Type.Integer({
    minimum: 0,
    description: 'What earlier refunds of it came to; says whether a lost one had arrived',
  }),
  amount: centavos('What to give back'),
  currency: Type.Literal('ARS'),
});
export type RefundOrder = Static<typeof refundSchema>;

/**
 * The outcome of a refund. `unheard`: it did not reach the acquirer, and the same PUT may be sent
 * again under the same id.
 */
export const refundOutcomeSchema = Type.Union([
  Type.Object({ outcome: Type.Literal('done'), reference }),
  Type.Object({
    outcome: Type.Literal('failed'),
    code: text(32, "The acquirer's code"),
    text: text(255, 'What it means'),
    alarm,
  }),
  pending,
  unheard,
]);
export type RefundOutcome = Static<typeof refundOutcomeSchema>;
