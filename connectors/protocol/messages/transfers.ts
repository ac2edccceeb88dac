import { type Static, Type } from 'typebox';
import { centavos, moment, oneOf, text } from './fields.ts';

/** `GET /transfers?from=&until=&after=`: received transfers, for the reconciliation. */
export const transferListSchema = Type.Object({
  transfers: Type.Array(
    Type.Object({
      id: text(64, 'The id in `transfer.received`'),
      cvu: Type.String({ pattern: '^[0-9]{22}$', description: 'CVU that received it' }),
      amount: centavos('Amount received'),
      paid_at: moment('Time of the payment'),
      state: oneOf(['received', 'reversed'], 'Current state'),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Cursor of the next page; missing on the last one')),
});
export type TransferList = Static<typeof transferListSchema>;
