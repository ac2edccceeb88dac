import { type Static, Type } from 'typebox';
import { connectorChannels } from '../names.ts';
import {
  account,
  address,
  alarm,
  bin,
  cardBrand,
  cardKind,
  centavos,
  id,
  lastFour,
  moment,
  oneOf,
  reference,
  seconds,
  text,
} from './fields.ts';

const payerAddress = Type.Object(
  {
    street: text(100, 'Street and number'),
    city: text(100, 'Town'),
    postal_code: Type.String({ pattern: '^([0-9]{4}|[A-Z][0-9]{4}[A-Z]{3})$' }),
    province: Type.String({ pattern: '^[A-Z]$', description: 'Letter of ISO 3166-2:AR' }),
  },
  { description: 'Present if the manifest asks for it' },
);
const tokenInstrument = Type.Object({
  type: Type.Literal('token', { description: 'A token from the frame, valid for one charge' }),
  token: text(512, 'Single-use token'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  holder_name: Type.Optional(text(255, 'As entered in the frame')),
});
const keptCardInstrument = Type.Object({
  type: Type.Literal('kept_card', { description: 'A card on file; the payer is not present' }),
  reference: text(128, 'The reference from when the card was kept'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
});
const bankAccountInstrument = Type.Object({
  type: Type.Literal('bank_account'),
  account: text(64, 'CBU, CVU or alias of the payer'),
  id_number: Type.String({ pattern: '^[0-9]{7,11}$', description: 'DNI, CUIT or CUIL' }),
});
const payerPage = Type.Object({
  type: Type.Literal('redirect', { description: 'The payer pays on a page of the acquirer' }),
});
const wallet = Type.Object({
  type: Type.Literal('wallet', { description: 'The payer pays a displayed code with a wallet' }),
});

/** Card networks' id of an agreement's first charge, which later charges refer to. */
export const networkTransactionId = text(
  64,
  "The network's id of the first charge of an agreement",
);

export const onFileReasons = ['recurring', 'instalments', 'unscheduled'] as const;

/** Marks a charge of a card on file, as the networks require. */
export const onFileSchema = Type.Object(
  {
    initiator: oneOf(['payer', 'merchant'], 'payer: present now; merchant: agreed earlier'),
    reason: oneOf(
      onFileReasons,
      'The agreement: regular debits, installments of one price, or debits as needed',
    ),
    network_transaction_id: Type.Optional(networkTransactionId),
  },
  { description: 'For cards on file only: the terms reported to card networks' },
);
export type OnFile = Static<typeof onFileSchema>;

/** `PUT /charges/{attempt}`. */
export const chargeSchema = Type.Object({
  attempt: id('The id in the path, repeated so that the signature covers it'),
  business_time: moment(
    'Current time on the business clock, which is the wall clock in production',
  ),
  channel: oneOf(connectorChannels, 'Channel'),
  amount: centavos('Amount due'),
  currency: Type.Literal('ARS'),
  account,
  request: Type.Object({
    id: id('The id of the payment request'),
    description: Type.Optional(text(255, 'Description for the payer')),
    external_reference: Type.Optional(text(255, "The account holder's own reference")),
  }),
  payer: Type.Object({
    name: Type.Optional(text(255, 'Name')),
    email: Type.Optional(text(255, 'E-mail')),
    id_number: Type.Optional(
      Type.String({
        pattern: '^[0-9]{7,11}$',
        description: 'DNI, CUIT or CUIL, if the manifest asks for it',
      }),
    ),
    phone: Type.Optional(
      Type.String({
        pattern: '^\\+[1-9][0-9]{7,14}$',
        description: 'Present if the manifest asks for it',
      }),
    ),
    address: Type.Optional(payerAddress),
    ip: Type.Optional(text(64, 'IP address of the browser')),
    user_agent: Type.Optional(text(512, 'User agent of the browser')),
  }),
  instrument: Type.Union([
    tokenInstrument,
    keptCardInstrument,
    bankAccountInstrument,
    payerPage,
    wallet,
  ]),
  installments: Type.Optional(
    Type.Object({
      count: Type.Integer({ minimum: 1, maximum: 60 }),
      send_as: text(8, "The acquirer's code for this plan"),
      each: centavos('Amount of each installment that the payer saw'),
      total: centavos('Sum of the installments; financing is between payer and issuer'),
    }),
  ),
  on_file: Type.Optional(onFileSchema),
  authorize_only: Type.Optional(
    Type.Boolean({
      description: 'Authorize only: a capture or void follows. Requires `captures` in the manifest',
    }),
  ),
  return_url: Type.Optional(address),
  deadline: moment('The service stops waiting at this time (wall clock)'),
});
export type ChargeOrder = Static<typeof chargeSchema>;
export type Instrument = ChargeOrder['instrument'];

/** The query of each GET about a charge or refund. */
export const querySchema = Type.Object({
  account: Type.String({ pattern: '^[0-9A-F]{8}$', description: 'The id of the account' }),
  business_time: moment('Current time on the business clock'),
  settings: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]*$',
      description: 'Settings of the account: JSON in base64url',
    }),
  ),
});

/** The query of `GET /charges`. */
export const listQuerySchema = Type.Object({
  from: moment('Start on the business clock, inclusive'),
  until: moment('End on the business clock, exclusive'),
  after: Type.Optional(text(128, '`next` of the page before')),
  account: Type.Optional(
    Type.String({
      pattern: '^[0-9A-F]{8}$',
      description: 'The account whose credentials to use, if the manifest has `lists_by`',
    }),
  ),
  settings: Type.Optional(
    Type.String({ description: 'Settings of the account: JSON in base64url; sent with `account`' }),
  ),
});

export const retryWords = [
  'never',
  'other_instrument',
  'same_later',
  'same_now',
  'call_issuer',
] as const;

/** Results of a payer's authentication. */
export const threeDsResults = [
  'authenticated',
  'attempted',
  'not_enrolled',
  'failed',
  'unavailable',
] as const;
export const threeDsLiabilities = ['issuer', 'merchant'] as const;
export const threeDsSchema = Type.Object(
  {
    result: oneOf(threeDsResults, 'Result of the authentication'),
    liability: oneOf(threeDsLiabilities, 'The party liable for fraud'),
    version: Type.Optional(text(10, 'Version of 3-D Secure, such as 2.2.0')),
  },
  { description: '3-D Secure; missing if the payer was not authenticated, or if unknown' },
);
export type ThreeDs = Static<typeof threeDsSchema>;

const answer = {
  reference,
  authorization_code: Type.Optional(text(32, "The issuer's code")),
  ticket: Type.Optional(text(32, "The acquirer's ticket number")),
  tid: Type.Optional(text(64, 'Identifier shared by sale, settlement and chargeback')),
  brand: Type.Optional(cardBrand),
  kind: Type.Optional(cardKind),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  three_ds: Type.Optional(threeDsSchema),
  network_transaction_id: Type.Optional(networkTransactionId),
  decided_at: Type.Optional(
    moment('Time of the decision on the business clock; default: the time of the query'),
  ),
};
const approved = Type.Object({
  outcome: Type.Literal('approved'),
  amount: centavos('Amount charged; if it differs from the order, the service raises an alarm'),
  ...answer,
});
const authorized = Type.Object({
  outcome: Type.Literal('authorized', {
    description: 'The issuer reserved the amount, but no money moved: a capture or void follows',
  }),
  amount: centavos(
    'Amount reserved; if it differs from the order, the service voids it and raises an alarm',
  ),
  expires_at: moment('Expiry of the authorization on the business clock'),
  ...answer,
});
export const rejected = Type.Object({
  outcome: Type.Literal('rejected'),
  code: text(32, "The acquirer's code"),
  text: text(255, 'Explanation'),
  retry: oneOf(retryWords, 'How the payer can retry'),
  alarm,
});
export const pending = Type.Object({
  outcome: Type.Literal('pending'),
  ask_after_s: seconds(7 * 86_400, 'Time until the next query, on the business clock'),
  alarm: Type.Optional(
    text(
      500,
      'Reason why it may never settle without a person; raises an alarm, and the charge stays open',
    ),
  ),
});
const actionRequired = Type.Object({
  outcome: Type.Literal('action_required'),
  kind: oneOf(['redirect', 'frame', 'show_qr'], 'Redirect the payer, show a frame, or show a code'),
  url: Type.Optional(address),
  data: Type.Optional(text(4096, 'Text of the code to show, at most 2,331 bytes')),
  until: moment('Expiry of the action on the business clock'),
});
const canceled = Type.Object({
  outcome: Type.Literal('canceled', { description: 'Canceled, voided or refunded in full' }),
  reference: Type.Optional(reference),
});
export const unheard = Type.Object({
  outcome: Type.Literal('unheard', {
    description: 'Nothing was sent to the acquirer, or the acquirer does not know it',
  }),
  alarm,
});

/** The outcome of a charge: the answer to every call about it. */
export const outcomeSchema = Type.Union([
  approved,
  authorized,
  rejected,
  pending,
  actionRequired,
  canceled,
  unheard,
]);
export type Outcome = Static<typeof outcomeSchema>;

/** `POST /charges/{attempt}/cancel`. */
export const cancelSchema = Type.Object({
  attempt: id('The id in the path'),
  business_time: moment('Current time on the business clock'),
  account,
});
export type CancelOrder = Static<typeof cancelSchema>;

/** `PUT /charges/{attempt}/capture` and `PUT /charges/{attempt}/void`. */
export const holdSchema = Type.Object({
  attempt: id('The id of the charge'),
  business_time: moment('Current time on the business clock'),
  account,
  reference: text(64, "The acquirer's id of the authorization"),
  amount: centavos('The whole authorized amount'),
  currency: Type.Literal('ARS'),
});
export type HoldOrder = Static<typeof holdSchema>;

/** `GET /charges?from=&until=&after=`: the acquirer's charges, for the reconciliation. */
export const chargeListSchema = Type.Object({
  charges: Type.Array(
    Type.Object({
      attempt: Type.Optional(
        text(64, 'The id sent to the acquirer; ids of other deployments are ignored'),
      ),
      payment: Type.Optional(
        Type.Object(
          {
            trx: text(50, "The network's id of it"),
            code: text(1024, 'Text of the code'),
            paid_at: moment('Time of the payment'),
          },
          { description: 'Replaces `attempt` for codes paid by a wallet' },
        ),
      ),
      outcome: oneOf(
        ['approved', 'authorized', 'rejected', 'pending', 'canceled'],
        'Current state; `authorized` means that no money moved',
      ),
      reference: Type.Optional(reference),
      amount: centavos('Amount charged or authorized'),
      refunded: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Cursor of the next page; missing on the last one')),
});
export type ChargeList = Static<typeof chargeListSchema>;
