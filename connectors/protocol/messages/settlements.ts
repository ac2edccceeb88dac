import { type Static, Type } from 'typebox';
import { oneOf, text } from './fields.ts';

/** Subjects of a settlement line. */
export const settlementKinds = ['sale', 'refund', 'chargeback', 'returned', 'other'] as const;

const signed = (description: string) =>
  Type.Integer({ minimum: -999_999_999_999, maximum: 999_999_999_999, description });

/** `GET /settlements?from=&until=&after=`: lines of the acquirer's payouts on these days. */
export const settlementListSchema = Type.Object({
  settlements: Type.Array(
    Type.Object({
      id: text(64, "The acquirer's id of the line: listed again, it is the same line"),
      payout: Type.Object({
        id: text(64, "The acquirer's id of the payout"),
        paid_on: Type.String({
          pattern: '^\\d{4}-\\d\\d-\\d\\d$',
          description: 'The day, in Argentina',
        }),
        net: signed('Amount of the payout: the sum of its lines'),
      }),
      kind: oneOf(
        settlementKinds,
        '`returned`: what a dispute had taken comes back; `other`: of no charge',
      ),
      attempt: Type.Optional(
        text(64, 'The id of the charge; ids of other deployments are ignored'),
      ),
      trx: Type.Optional(text(50, 'Replaces `attempt` for codes paid by a wallet')),
      is_part: Type.Optional(
        Type.Boolean({ description: 'For a sale: other lines have the rest of its amount' }),
      ),
      gross: signed('Amount from the payer; negative if returned'),
      fee: signed("The acquirer's fee with taxes; negative if returned"),
      net: signed('`gross` less `fee`'),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Cursor of the next page; missing on the last one')),
});
export type SettlementList = Static<typeof settlementListSchema>;
