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
    street: text(100, 'With its number'),
    city: text(100, 'Town'),
    postal_code: Type.String({ pattern: '^([0-9]{4}|[A-Z][0-9]{4}[A-Z]{3})$' }),
    province: Type.String({ pattern: '^[A-Z]$', description: 'Letter of ISO 3166-2:AR' }),
  },
  { description: 'Where it is asked' },
);
const tokenInstrument = Type.Object({
  type: Type.Literal('token', { description: 'What the frame handed over; good for one charge' }),
  token: text(512, 'Single use'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  holder_name: Type.Optional(text(255, 'As typed in the frame')),
});
const keptCardInstrument = Type.Object({
  type: Type.Literal('kept_card', { description: 'A card on file; nobody is there to act' }),
  reference: text(128, 'As its keeping told it'),
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
  type: Type.Literal('redirect', { description: 'The payer is sent to a page of the acquirer' }),
});
const wallet = Type.Object({
  type: Type.Literal('wallet', { description: 'A code is shown, and a wallet pays it' }),
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
    initiator: oneOf(['payer', 'merchant'], 'Whether the payer is there, or agreed to it before'),
    reason: oneOf(
      onFileReasons,
      'What was agreed: debits at regular times, parts of one price, or debits as they come up',
    ),
    network_transaction_id: Type.Optional(networkTransactionId),
  },
  { description: 'Of a card on file alone: what the networks are told of it' },
);
export type OnFile = Static<typeof onFileSchema>;

/** `PUT /charges/{attempt}`. */
export const chargeSchema = Type.Object({
  attempt: id('The id of the address again, so that the signature covers it'),
  business_time: moment('Now, on the business clock: in production the wall clock'),
  channel: oneOf(connectorChannels, 'Channel'),
  amount: centavos('What is due'),
  currency: Type.Literal('ARS'),
  account,
  request: Type.Object({
    id: id('Of the payment request'),
    description: Type.Optional(text(255, 'What it is for')),
    external_reference: Type.Optional(text(255, "The account holder's own reference")),
  }),
  payer: Type.Object({
    name: Type.Optional(text(255, 'Name')),
    email: Type.Optional(text(255, 'E-mail')),
    id_number: Type.Optional(
      Type.String({
        pattern: '^[0-9]{7,11}$',
        description: 'DNI, CUIT or CUIL, where it is asked',
      }),
    ),
    phone: Type.Optional(
      Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$', description: 'Where it is asked' }),
    ),
    address: Type.Optional(payerAddress),
    ip: Type.Optional(text(64, 'Address of the browser')),
    user_agent: Type.Optional(text(512, 'Of the browser')),
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
      send_as: text(8, 'The code that the acquirer knows this plan by'),
      each: centavos('Each installment, as the payer saw it'),
      total: centavos('Their sum; financing is between payer and card'),
    }),
  ),
  on_file: Type.Optional(onFileSchema),
  authorize_only: Type.Optional(
    Type.Boolean({
      description:
        'Take no money yet: a capture or void follows. Only where the manifest `captures`',
    }),
  ),
  return_url: Type.Optional(address),
  deadline: moment('An answer after this moment of the wall clock finds nobody waiting'),
});
export type ChargeOrder = Static<typeof chargeSchema>;
export type Instrument = ChargeOrder['instrument'];

/** The query of each GET about a charge or refund. */
export const querySchema = Type.Object({
  account: Type.String({ pattern: '^[0-9A-F]{8}$', description: 'Its id' }),
  business_time: moment('Now, on the business clock'),
  settings: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]*$', description: 'Its settings: JSON as base64url' }),
  ),
});

/** The query of `GET /charges`. */
export const listQuerySchema = Type.Object({
  from: moment('The first moment, on the business clock'),
  until: moment('The first moment that is no longer meant'),
  after: Type.Optional(text(128, '`next` of the page before')),
  account: Type.Optional(
    Type.String({
      pattern: '^[0-9A-F]{8}$',
      description: 'Whose credentials to use, where the manifest says `lists_by`',
    }),
  ),
  settings: Type.Optional(
    Type.String({ description: 'Its settings as JSON, in base64url; with `account`' }),
  ),
});

export const retryWords = [
  'never',
  'other_instrument',
  'same_later',
  'same_now',
  'call_issuer',
] as const;

/** Results of a payer's authentication, with the bearer of fraud losses. */
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
    result: oneOf(threeDsResults, 'What it came to'),
    liability: oneOf(threeDsLiabilities, 'Who bears the loss of a fraud'),
    version: Type.Optional(text(10, 'Of 3-D Secure, as 2.2.0')),
  },
  { description: '3-D Secure; missing: the payer was not authenticated, or it is not known' },
);
export type ThreeDs = Static<typeof threeDsSchema>;

const answer = {
  reference,
  authorization_code: Type.Optional(text(32, 'Of the issuer')),
  ticket: Type.Optional(text(32, 'Of the acquirer')),
  tid: Type.Optional(text(64, 'Ties sale, settlement and chargeback')),
  brand: Type.Optional(cardBrand),
  kind: Type.Optional(cardKind),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  three_ds: Type.Optional(threeDsSchema),
  network_transaction_id: Type.Optional(networkTransactionId),
  decided_at: Type.Optional(moment('When, on the business clock; missing: when it was asked')),
};
const approved = Type.Object({
  outcome: Type.Literal('approved'),
  amount: centavos('What was taken; another amount than was asked for raises an alarm'),
  ...answer,
});
const authorized = Type.Object({
  outcome: Type.Literal('authorized', {
    description:
      'The issuer holds the amount for us, and no money moved: a capture or void follows',
  }),
  amount: centavos('What is held; another amount than was asked for is voided, with an alarm'),
  expires_at: moment('When the issuer lets it go, on the business clock'),
  ...answer,
});
export const rejected = Type.Object({
  outcome: Type.Literal('rejected'),
  code: text(32, "The acquirer's code"),
  text: text(255, 'What it means'),
  retry: oneOf(retryWords, 'What the payer may do next'),
  alarm,
});
export const pending = Type.Object({
  outcome: Type.Literal('pending'),
  ask_after_s: seconds(7 * 86_400, 'Ask again then, on the business clock'),
  alarm: Type.Optional(
    text(500, 'Why it may never be decided by itself: raises an alarm, the charge stays open'),
  ),
});
const actionRequired = Type.Object({
  outcome: Type.Literal('action_required'),
  kind: oneOf(
    ['redirect', 'frame', 'show_qr'],
    'Send the payer there, show it in a frame, or show a code',
  ),
  url: Type.Optional(address),
  data: Type.Optional(text(4096, 'Text of the code that is shown, of at most 2,331 bytes')),
  until: moment('After this moment of the business clock it is no longer of use'),
});
const canceled = Type.Object({
  outcome: Type.Literal('canceled', { description: 'Called off, annulled or given back in full' }),
  reference: Type.Optional(reference),
});
export const unheard = Type.Object({
  outcome: Type.Literal('unheard', { description: 'Nothing was sent, or nobody ever heard of it' }),
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
  attempt: id('The id of the address again'),
  business_time: moment('Now, on the business clock'),
  account,
});
export type CancelOrder = Static<typeof cancelSchema>;

/** `PUT /charges/{attempt}/capture` and `PUT /charges/{attempt}/void`. */
export const holdSchema = Type.Object({
  attempt: id('The charge'),
  business_time: moment('Now, on the business clock'),
  account,
  reference: text(64, "The acquirer's id of it, as its authorisation told it"),
  amount: centavos('All that was authorised'),
  currency: Type.Literal('ARS'),
});
export type HoldOrder = Static<typeof holdSchema>;

/** `GET /charges?from=&until=&after=`: the acquirer's charges, for the reconciliation. */
export const chargeListSchema = Type.Object({
  charges: Type.Array(
    Type.Object({
      attempt: Type.Optional(
        text(64, 'As the acquirer was told it; of another deployment: not ours'),
      ),
      payment: Type.Optional(
        Type.Object(
          {
            trx: text(50, "The network's id of it"),
            code: text(1024, 'The text of the code'),
            paid_at: moment('When'),
          },
          { description: 'In the place of an attempt: of a code that a wallet paid' },
        ),
      ),
      outcome: oneOf(
        ['approved', 'authorized', 'rejected', 'pending', 'canceled'],
        'As it stands; `authorized` is no money',
      ),
      reference: Type.Optional(reference),
      amount: centavos('Taken, or authorised'),
      refunded: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Where the next page begins; missing: this was the last')),
});
export type ChargeList = Static<typeof chargeListSchema>;
