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
        net: signed('What was paid out: all lines of the payout together'),
      }),
      kind: oneOf(
        settlementKinds,
        '`returned`: what a dispute had taken comes back; `other`: of no charge',
      ),
      attempt: Type.Optional(text(64, 'The charge; of another deployment: not ours')),
      trx: Type.Optional(text(50, 'In the place of an attempt: of a code that a wallet paid')),
      is_part: Type.Optional(
        Type.Boolean({ description: 'Of a sale: the rest of its amount comes with other lines' }),
      ),
      gross: signed('What was taken of the payer; below zero where it went back'),
      fee: signed('What the acquirer keeps of it, with taxes; below zero where it returns a fee'),
      net: signed('`gross` less `fee`'),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Where the next page begins; missing: this was the last')),
});
export type SettlementList = Static<typeof settlementListSchema>;
