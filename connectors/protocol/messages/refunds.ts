import { type Static, Type } from 'typebox';
import { pending, unheard } from './charges.ts';
import { account, alarm, centavos, id, moment, reference, text } from './fields.ts';

/** `PUT /charges/{attempt}/refunds/{refund}`. */
export const refundSchema = Type.Object({
  attempt: id('The id of the charge'),
  refund: id('The id in the path'),
  business_time: moment('Current time on the business clock'),
  account,
  reference: text(64, "The acquirer's id of the charge, from its approval"),
  charged: centavos('Amount charged'),
  refunded_before: Type.Integer({
    minimum: 0,
    description: 'Sum of earlier refunds; shows whether a lost refund arrived',
  }),
  amount: centavos('Amount to refund'),
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
    text: text(255, 'Explanation'),
    alarm,
  }),
  pending,
  unheard,
]);
export type RefundOutcome = Static<typeof refundOutcomeSchema>;
