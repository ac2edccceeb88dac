import { type Static, Type } from 'typebox';
import { centavos, moment, oneOf, text } from './fields.ts';

/** `GET /transfers?from=&until=&after=`: received transfers, for the reconciliation. */
export const transferListSchema = Type.Object({
  transfers: Type.Array(
    Type.Object({
      id: text(64, 'As `transfer.received` told it'),
      cvu: Type.String({ pattern: '^[0-9]{22}$', description: 'Where it arrived' }),
      amount: centavos('Arrived'),
      paid_at: moment('When'),
      state: oneOf(['received', 'reversed'], 'As it stands'),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Where the next page begins; missing: this was the last')),
});
export type TransferList = Static<typeof transferListSchema>;
