import { type Static, Type } from 'typebox';
import { cardBrandNames, connectorChannels } from './words.ts';

export type { ConnectorChannel } from './words.ts';

/**
 * The messages of the Recaudo Connector Protocol, version 1 (docs/connectors.md). Amounts are
 * integers of centavos, moments ISO 8601 in UTC. Unknown members are ignored by both sides.
 */
export const protocolVersion = 1;

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const centavos = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 999_999_999_999, description });
const moment = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$', description });
const seconds = (most: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: most, description });
const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });

/** Ids of ours: letters, digits and dashes, unique in the deployment. */
export const idPattern = '^[A-Za-z0-9-]{1,32}$';
const id = (description: string) => Type.String({ pattern: idPattern, description });

const cardBrand = oneOf(cardBrandNames, 'Brand of the card');
const cardKind = oneOf(['credit', 'debit'], 'What the card is; decides channel and fee');
const bin = Type.String({ pattern: '^[0-9]{6,8}$', description: 'First digits of the card' });
const lastFour = Type.String({ pattern: '^[0-9]{4}$', description: 'Last digits of the card' });
const origin = Type.String({
  pattern: '^https?://[^/\\s?#]+$',
  description: 'Origin of the frame, for the Content-Security-Policy of the checkout',
});
const address = Type.String({ pattern: '^https?://\\S+$', maxLength: 2048 });

const browser = Type.Union([
  Type.Object({
    kind: Type.Literal('frame', { description: 'A frame turns what the payer types into a token' }),
    url: address,
    origin,
  }),
  Type.Object({
    kind: Type.Literal('redirect', { description: 'The payer types on a page of the acquirer' }),
  }),
]);

const offeredChannel = Type.Object({
  channel: oneOf(connectorChannels, 'Channel of the interface that this connector takes money by'),
  brands: Type.Optional(Type.Array(cardBrand, { description: 'Cards only; missing: all' })),
  browser: Type.Optional(browser),
  plans: Type.Optional(
    oneOf(['ours', 'connector'], 'Whose table of installments is shown; missing: ours'),
  ),
  refunds: Type.Array(oneOf(['whole', 'part'], 'What can be given back'), {
    description: 'Empty: this channel cannot give back',
  }),
  cancel: Type.Boolean({ description: 'Whether a charge that is pending can be called off' }),
  keeps_cards: Type.Optional(
    Type.Boolean({ description: 'Whether a token may be kept and charged again' }),
  ),
  answers_within_s: seconds(120, 'A PUT answers within this time, else its outcome is unknown'),
  settles_within_s: seconds(
    30 * 86_400,
    'After this time a charge that nobody knows was never heard of',
  ),
});

/** How the conformance kit brings an outcome about: the charge to send, and what it must end as. */
const testCase = Type.Object({
  channel: oneOf(connectorChannels, 'Channel'),
  instrument: Type.Optional(
    Type.Unknown({
      description: 'As a charge carries it; missing: asked for, a new one each time',
    }),
  ),
  amount: Type.Optional(centavos('Where the amount decides; missing: any')),
});
export type TestCase = Static<typeof testCase>;

/** Cases that a manifest may offer; `approved` and one refusal it must, to be tested at all. */
export const testCases = [
  'approved',
  'rejected_never',
  'rejected_other_instrument',
  'rejected_same_later',
  'rejected_same_now',
  'rejected_call_issuer',
  'pending',
  'action_required',
  'lost',
  'whole_refunds_only',
] as const;
export type TestCaseName = (typeof testCases)[number];

/** `GET /manifest`: what a connector can do. */
export const manifestSchema = Type.Object({
  protocol: Type.Literal(protocolVersion),
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' }),
  version: text(40, 'Of the connector itself'),
  channels: Type.Array(offeredChannel, { minItems: 1, maxItems: 20 }),
  notices: Type.Array(
    oneOf(
      [
        'charge.changed',
        'charge.charged_back',
        'transfer.received',
        'transfer.reversed',
        'qr.intention',
        'qr.confirmed',
        'qr.reversed',
      ],
      'What this connector tells by itself',
    ),
  ),
  test: Type.Optional(
    Type.Partial(
      Type.Object({
        approved: testCase,
        rejected_never: testCase,
        rejected_other_instrument: testCase,
        rejected_same_later: testCase,
        rejected_same_now: testCase,
        rejected_call_issuer: testCase,
        pending: testCase,
        action_required: testCase,
        lost: testCase,
        whole_refunds_only: testCase,
      }),
      {
        description:
          'In test set-ups alone: cases for the conformance kit, by the outcome each brings about. ' +
          '`pending` settles by itself and tells so; `lost` is booked, and its answer never comes',
      },
    ),
  ),
});
export type Manifest = Static<typeof manifestSchema>;
export type OfferedChannel = Manifest['channels'][number];

const account = Type.Object({
  id: Type.String({ pattern: '^[0-9A-F]{8}$' }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the operator configured of this account for this connector, as it stands',
  }),
});

const tokenInstrument = Type.Object({
  type: Type.Literal('token', { description: 'What the frame handed over; good for one charge' }),
  token: text(512, 'Single use'),
  brand: Type.Optional(cardBrand),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  holder_name: Type.Optional(text(255, 'As typed in the frame')),
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
    id_number: Type.Optional(Type.String({ pattern: '^[0-9]{7,11}$' })),
    ip: Type.Optional(text(64, 'Address of the browser')),
    user_agent: Type.Optional(text(512, 'Of the browser')),
  }),
  instrument: Type.Union([tokenInstrument, bankAccountInstrument, payerPage, wallet]),
  installments: Type.Optional(
    Type.Object({
      count: Type.Integer({ minimum: 1, maximum: 60 }),
      send_as: text(8, 'The code that the acquirer knows this plan by'),
      each: centavos('Each installment, as the payer saw it'),
      total: centavos('Their sum; financing is between payer and card'),
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
});

/** `POST /test/instruments`: a new instrument for a case of the kit; in test set-ups alone. */
export const testInstrumentSchema = Type.Object({ case: oneOf(testCases, 'Of the manifest') });

export const retryWords = [
  'never',
  'other_instrument',
  'same_later',
  'same_now',
  'call_issuer',
] as const;

const alarm = Type.Optional(
  text(500, 'A fault of configuration that the operator must mend: raises an alarm'),
);
const reference = text(64, "The acquirer's id of it");

const approved = Type.Object({
  outcome: Type.Literal('approved'),
  reference,
  authorization_code: Type.Optional(text(32, 'Of the issuer')),
  ticket: Type.Optional(text(32, 'Of the acquirer')),
  tid: Type.Optional(text(64, 'Ties sale, settlement and chargeback')),
  amount: centavos('What was taken; another amount than was asked for raises an alarm'),
  brand: Type.Optional(cardBrand),
  kind: Type.Optional(cardKind),
  bin: Type.Optional(bin),
  last_four: Type.Optional(lastFour),
  decided_at: Type.Optional(moment('When, on the business clock; missing: when it was asked')),
});
const rejected = Type.Object({
  outcome: Type.Literal('rejected'),
  code: text(32, "The acquirer's code"),
  text: text(255, 'What it means'),
  retry: oneOf(retryWords, 'What the payer may do next'),
  alarm,
});
const pending = Type.Object({
  outcome: Type.Literal('pending'),
  ask_after_s: seconds(7 * 86_400, 'Ask again then, on the business clock'),
});
const actionRequired = Type.Object({
  outcome: Type.Literal('action_required'),
  kind: oneOf(
    ['redirect', 'frame', 'show_qr'],
    'Send the payer there, show it in a frame, or show a code',
  ),
  url: Type.Optional(address),
  data: Type.Optional(text(4096, 'Text of the code that is shown')),
  until: moment('After this moment of the business clock it is no longer of use'),
});
const canceled = Type.Object({
  outcome: Type.Literal('canceled', { description: 'Called off, annulled or given back in full' }),
  reference: Type.Optional(reference),
});
const unheard = Type.Object({
  outcome: Type.Literal('unheard', { description: 'Nothing was sent, or nobody ever heard of it' }),
  alarm,
});

/** What became of a charge: the answer of each call about one. */
export const outcomeSchema = Type.Union([
  approved,
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
 * What became of a refund. `unheard`: it did not reach the acquirer, and the same PUT may be sent
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

/** `GET /charges?from=&until=&after=`: what the acquirer has, for the reconciliation. */
export const chargeListSchema = Type.Object({
  charges: Type.Array(
    Type.Object({
      attempt: text(64, 'As the acquirer was told it; of another deployment: not ours'),
      outcome: oneOf(['approved', 'rejected', 'pending', 'canceled'], 'As it stands'),
      reference: Type.Optional(reference),
      amount: centavos('Taken'),
      refunded: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: 1000 },
  ),
  next: Type.Optional(text(128, 'Where the next page begins; missing: this was the last')),
});
export type ChargeList = Static<typeof chargeListSchema>;

const person = Type.Object({
  name: Type.Optional(text(255, 'Name')),
  id_number: Type.Optional(Type.String({ pattern: '^[0-9]{7,11}$' })),
  account: Type.Optional(text(64, 'CBU or CVU')),
});

/** `POST {service}/connectors/{name}/notices`: what a connector tells by itself. */
export const noticeSchema = Type.Union([
  Type.Object({
    type: Type.Literal('charge.changed', {
      description: 'The service asks what became of it, and believes the answer alone',
    }),
    attempt: id('The charge'),
  }),
  Type.Object({
    type: Type.Literal('charge.charged_back'),
    id: text(64, 'Of the chargeback: told twice, it is booked once'),
    attempt: id('The charge'),
    amount: centavos('Taken back'),
    reference,
  }),
  Type.Object({
    type: Type.Literal('transfer.received'),
    id: text(64, 'Of the transfer: told twice, it is booked once'),
    cvu: Type.String({ pattern: '^[0-9]{22}$', description: 'Where it arrived' }),
    amount: centavos('Arrived'),
    paid_at: moment('When'),
    payer: Type.Optional(person),
  }),
  Type.Object({
    type: Type.Literal('transfer.reversed'),
    id: text(64, 'Of the transfer that was told before'),
    amount: centavos('Taken back'),
  }),
  Type.Object({
    type: Type.Literal('qr.intention', {
      description: 'Somebody is about to pay a code: answered within 1.5 seconds',
    }),
    trx: text(64, 'Of the scheme'),
    code: text(1024, 'The text of the code'),
    amount: centavos('What he is about to pay'),
  }),
  Type.Object({ type: Type.Literal('qr.confirmed'), trx: text(64, 'Told by the intention') }),
  Type.Object({
    type: Type.Literal('qr.reversed'),
    trx: text(64, 'Told by the intention'),
    code: text(32, 'Why, as the scheme writes it'),
  }),
]);
export type Notice = Static<typeof noticeSchema>;

/** The answer to a `qr.intention`; other notices are answered with 200 and `{}`. */
export const intentionAnswerSchema = Type.Object({
  status: oneOf(['pass', 'fail'], 'Whether the code may be paid now with that amount'),
  attempt: Type.Optional(id('The charge that was begun')),
  reason: Type.Optional(text(255, 'Why not')),
});
export type IntentionAnswer = Static<typeof intentionAnswerSchema>;

/** What the page posts to the frame: the payer pressed its button. Answered by token or faults. */
export const pageMessageSchema = Type.Object({ recaudo: Type.Literal('submit') });

/** What the frame posts to the page that holds it. */
export const frameMessageSchema = Type.Union([
  Type.Object({
    recaudo: Type.Literal('token'),
    token: text(512, 'Single use'),
    brand: Type.Optional(cardBrand),
    bin: Type.Optional(bin),
    last_four: Type.Optional(lastFour),
    holder_name: Type.Optional(text(255, 'As typed')),
  }),
  Type.Object({
    recaudo: Type.Literal('brand', {
      description: 'While the number is typed: which plans to show',
    }),
    brand: Type.Optional(cardBrand),
    bin: Type.Optional(bin),
  }),
  Type.Object({ recaudo: Type.Literal('faults', { description: 'Told in the frame itself' }) }),
  Type.Object({
    recaudo: Type.Literal('height'),
    px: Type.Integer({ minimum: 1, maximum: 2000 }),
  }),
  Type.Object({ recaudo: Type.Literal('ready') }),
  Type.Object({ recaudo: Type.Literal('finished', { description: 'A 3-D Secure step ended' }) }),
]);
export type FrameMessage = Static<typeof frameMessageSchema>;

/** Any answer that is not 200: the outcome of the call is unknown, but for 409 and 422. */
export const faultSchema = Type.Object({ message: text(500, 'What was wrong') });
