import { type Static, Type } from 'typebox';
import { connectorChannels } from '../names.ts';
import { networkTransactionId, onFileSchema, pending, rejected, unheard } from './charges.ts';
import { account, bin, cardBrand, cardKind, id, lastFour, moment, oneOf, text } from './fields.ts';

/** `PUT /cards/{card}`: stores a token's card, so that it can be charged repeatedly. */
export const keepSchema = Type.Object({
  card: id('The id in the path'),
  business_time: moment('Current time on the business clock'),
  channel: oneOf(connectorChannels, 'The channel of its charges; it must keep cards'),
  account,
  payer: Type.Object({
    name: Type.Optional(text(255, 'The person who agreed to be debited')),
    email: Type.Optional(text(255, 'E-mail')),
    ip: Type.Optional(text(64, 'IP address of the browser')),
    user_agent: Type.Optional(text(512, 'User agent of the browser')),
  }),
  token: text(512, 'Token from the frame, valid for this call only'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  holder_name: Type.Optional(text(255, 'As entered in the frame')),
  on_file: Type.Optional(onFileSchema),
  deadline: moment('The service stops waiting at this time (wall clock)'),
});
export type KeepOrder = Static<typeof keepSchema>;

/** The outcome of storing a card, and the answer to each later call about it. */
export const keptSchema = Type.Union([
  Type.Object({
    outcome: Type.Literal('kept'),
    reference: text(128, 'Permanent token that charges the card; never its number'),
    brand: cardBrand,
    kind: Type.Optional(cardKind),
    bin: Type.Optional(bin),
    last_four: lastFour,
    expires: Type.Optional(
      Type.String({
        pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
        description: 'Last valid month, such as 2028-04',
      }),
    ),
    network_transaction_id: Type.Optional(networkTransactionId),
  }),
  Type.Object({
    outcome: Type.Literal('closed', {
      description: 'The issuer closed the kept card, so it cannot be charged in this state',
    }),
    code: text(32, "The acquirer's code"),
    text: text(255, 'Reason'),
  }),
  rejected,
  pending,
  Type.Object({
    outcome: Type.Literal('forgotten', { description: 'The card can no longer be charged' }),
  }),
  unheard,
]);
export type CardOutcome = Static<typeof keptSchema>;

/** `POST /cards/{card}/forget`. */
export const forgetSchema = Type.Object({
  card: id('The id in the path'),
  business_time: moment('Current time on the business clock'),
  account,
  reference: text(128, 'The reference from when the card was kept'),
});
export type ForgetOrder = Static<typeof forgetSchema>;
