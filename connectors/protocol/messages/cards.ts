import { type Static, Type } from 'typebox';
import { connectorChannels } from '../names.ts';
import { networkTransactionId, onFileSchema, pending, rejected, unheard } from './charges.ts';
import { account, bin, cardBrand, cardKind, id, lastFour, moment, oneOf, text } from './fields.ts';

/** `PUT /cards/{card}`: stores a token's card, so that it can be charged repeatedly. */
export const keepSchema = Type.Object({
  card: id('The id of the address again'),
  business_time: moment('Now, on the business clock'),
  channel: oneOf(connectorChannels, 'By which it will be charged: one that keeps cards'),
  account,
  payer: Type.Object({
    name: Type.Optional(text(255, 'Who agreed to be debited')),
    email: Type.Optional(text(255, 'E-mail')),
    ip: Type.Optional(text(64, 'Address of the browser')),
    user_agent: Type.Optional(text(512, 'Of the browser')),
  }),
  token: text(512, 'What the frame handed over; good for this one call'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  holder_name: Type.Optional(text(255, 'As typed in the frame')),
  on_file: Type.Optional(onFileSchema),
  deadline: moment('An answer after this moment of the wall clock finds nobody waiting'),
});
export type KeepOrder = Static<typeof keepSchema>;

/** The outcome of storing a card, and the answer to each later call about it. */
export const keptSchema = Type.Union([
  Type.Object({
    outcome: Type.Literal('kept'),
    reference: text(128, 'What it is charged by: a token that lasts, never its number'),
    brand: cardBrand,
    kind: Type.Optional(cardKind),
    bin: Type.Optional(bin),
    last_four: lastFour,
    expires: Type.Optional(
      Type.String({
        pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
        description: 'The last month in which it is good, as 2028-04',
      }),
    ),
    network_transaction_id: Type.Optional(networkTransactionId),
  }),
  Type.Object({
    outcome: Type.Literal('closed', {
      description: 'It was kept, and its issuer closed it: it is not charged while it says so',
    }),
    code: text(32, "The acquirer's code"),
    text: text(255, 'Reason'),
  }),
  rejected,
  pending,
  Type.Object({
    outcome: Type.Literal('forgotten', { description: 'It can be charged no more' }),
  }),
  unheard,
]);
export type CardOutcome = Static<typeof keptSchema>;

/** `POST /cards/{card}/forget`. */
export const forgetSchema = Type.Object({
  card: id('The id of the address again'),
  business_time: moment('Now, on the business clock'),
  account,
  reference: text(128, 'What it was charged by, as its keeping told it'),
});
export type ForgetOrder = Static<typeof forgetSchema>;
