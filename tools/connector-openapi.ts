import type { TSchema } from 'typebox';
import {
  cancelSchema,
  chargeListSchema,
  chargeSchema,
  faultSchema,
  forgetSchema,
  frameMessageSchema,
  holdSchema,
  intentionAnswerSchema,
  keepSchema,
  keptSchema,
  listQuerySchema,
  manifestSchema,
  noticeSchema,
  openedSchema,
  openSchema,
  outcomeSchema,
  pageMessageSchema,
  querySchema,
  refundOutcomeSchema,
  refundSchema,
  settlementListSchema,
  testInstrumentSchema,
  testPaidSchema,
  testPaymentSchema,
  transferListSchema,
} from '../connectors/protocol/messages.ts';

type Json = Record<string, unknown>;

const schemas: Record<string, TSchema> = {
  Manifest: manifestSchema,
  Charge: chargeSchema,
  Outcome: outcomeSchema,
  Cancel: cancelSchema,
  Hold: holdSchema,
  Refund: refundSchema,
  RefundOutcome: refundOutcomeSchema,
  Keep: keepSchema,
  CardOutcome: keptSchema,
  Forget: forgetSchema,
  Open: openSchema,
  AccountOutcome: openedSchema,
  ChargeList: chargeListSchema,
  TransferList: transferListSchema,
  SettlementList: settlementListSchema,
  Notice: noticeSchema,
  IntentionAnswer: intentionAnswerSchema,
  TestInstrument: testInstrumentSchema,
  TestPayment: testPaymentSchema,
  TestPaid: testPaidSchema,
  FrameMessage: frameMessageSchema,
  PageMessage: pageMessageSchema,
  Fault: faultSchema,
};

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const contentOf = (schema: Json): Json => ({ 'application/json': { schema } });
const content = (name: string): Json => contentOf(refTo(name));

/** Fields of every body, which bind its signature to one call. */
const signed: Json = {
  type: 'object',
  required: ['for'],
  properties: {
    for: {
      type: 'string',
      description: 'Method and path of the call that it is signed for',
      examples: ['PUT /charges/00A1B2C3-1'],
    },
  },
};

const id = { type: 'string', pattern: '^[A-Za-z0-9-]{1,32}$' };

const inPath = (name: string, description: string): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: id,
});

/** Converts a query schema's members to parameters. */
const inQuery = (schema: { properties: Record<string, TSchema>; required?: string[] }): Json[] =>
  Object.entries(schema.properties).map(([name, member]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: member,
  }));

const attempt = inPath('attempt', 'The attempt to charge');
const card = inPath('card', 'The card that is kept');
const refund = inPath('refund', 'The refund');

const faults: Record<string, string> = {
  '400': 'What was sent is not of the protocol; nothing was sent on',
  '401':
    'The signature is missing, wrong, old, of another call, or was heard before; nothing was done',
  '413': 'The body has more than 64 KiB',
  '502': 'What came of it is not known: ask later',
};
const charging: Record<string, string> = {
  '409': 'The same id came before with another content; the first stands',
  '422': 'It can never be sent as it is; nothing was sent',
};

const ending: Record<string, string> = {
  '409': 'The hold was ordered to end otherwise; the first order stands',
  '422': 'This connector authorises nothing first',
};

interface Call {
  name: string;
  summary: string;
  tag: string;
  answer: string;
  description: string;
  parameters?: Json[];
  body?: string;
  also?: Record<string, string>;
}

const operation = ({
  name,
  summary,
  tag,
  answer,
  description,
  parameters,
  body,
  also,
}: Call): Json => ({
  operationId: name,
  summary,
  tags: [tag],
  security: [{ signature: [] }],
  ...(parameters && { parameters }),
  ...(body && {
    requestBody: { required: true, content: contentOf({ allOf: [refTo('Signed'), refTo(body)] }) },
  }),
  responses: {
    '200': { description, content: content(answer) },
    ...Object.fromEntries(
      Object.entries({ ...faults, ...also })
        .sort()
        .map(([status, text]) => [status, { description: text, content: content('Fault') }]),
    ),
  },
});

const paths = {
  '/manifest': {
    get: operation({
      name: 'getManifest',
      summary: 'What the connector can do',
      tag: 'Manifest',
      answer: 'Manifest',
      description: 'The manifest',
    }),
  },
  '/charges': {
    get: operation({
      name: 'listCharges',
      summary: 'What the acquirer has, for the reconciliation',
      tag: 'Charges',
      answer: 'ChargeList',
      description: 'A page; it may be empty and still have a next one',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/transfers': {
    get: operation({
      name: 'listTransfers',
      summary: 'Transfers that arrived, for the reconciliation; where the manifest tells of them',
      tag: 'Transfers',
      answer: 'TransferList',
      description: 'A page; it may be empty and still have a next one',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/settlements': {
    get: operation({
      name: 'listSettlements',
      summary: 'Lines of what was paid out on these days; where the manifest has `settlements`',
      tag: 'Settlements',
      answer: 'SettlementList',
      description: 'A page; it may be empty and still have a next one',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/charges/{attempt}': {
    put: operation({
      name: 'putCharge',
      summary: 'Charge, once',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'What became of it; the same again for the same order',
      parameters: [attempt],
      body: 'Charge',
      also: charging,
    }),
    get: operation({
      name: 'getCharge',
      summary: 'Ask what became of a charge',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'What is known now',
      parameters: [attempt, ...inQuery(querySchema)],
    }),
  },
  '/charges/{attempt}/cancel': {
    post: operation({
      name: 'cancelCharge',
      summary: 'Call off what is pending',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'What the charge is then',
      parameters: [attempt],
      body: 'Cancel',
      also: { '422': 'Charges of this channel cannot be called off' },
    }),
  },
  '/charges/{attempt}/capture': {
    put: operation({
      name: 'captureCharge',
      summary: 'Take what was authorised, once; where the manifest has `captures`',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'What the charge is then; the same again for the same order',
      parameters: [attempt],
      body: 'Hold',
      also: ending,
    }),
  },
  '/charges/{attempt}/void': {
    put: operation({
      name: 'voidCharge',
      summary: 'Let go what was authorised; where the manifest has `captures`',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'What the charge is then; the same again for the same order',
      parameters: [attempt],
      body: 'Hold',
      also: ending,
    }),
  },
  '/charges/{attempt}/refunds/{refund}': {
    put: operation({
      name: 'putRefund',
      summary: 'Give back, once',
      tag: 'Refunds',
      answer: 'RefundOutcome',
      description: 'What became of it',
      parameters: [attempt, refund],
      body: 'Refund',
      also: charging,
    }),
    get: operation({
      name: 'getRefund',
      summary: 'Ask what became of a refund',
      tag: 'Refunds',
      answer: 'RefundOutcome',
      description: 'What is known now',
      parameters: [attempt, refund, ...inQuery(querySchema)],
    }),
  },
  '/cards/{card}': {
    put: operation({
      name: 'putCard',
      summary: 'Keep the card of a token on file, once',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'What became of it; the same again for the same order',
      parameters: [card],
      body: 'Keep',
      also: charging,
    }),
    get: operation({
      name: 'getCard',
      summary: 'Ask what became of a card that was to be kept',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'What is known now',
      parameters: [card, ...inQuery(querySchema)],
    }),
  },
  '/cards/{card}/forget': {
    post: operation({
      name: 'forgetCard',
      summary: 'Charge a card no more; one that is gone already is no fault',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'It is forgotten',
      parameters: [card],
      body: 'Forget',
      also: { '422': 'This connector keeps no cards' },
    }),
  },
  '/accounts/{reference}': {
    put: operation({
      name: 'putAccount',
      summary: 'Open an account for the transfers of one request; asked again in the same way',
      tag: 'Transfers',
      answer: 'AccountOutcome',
      description: 'What became of it; one that is open, each time the same',
      parameters: [inPath('reference', 'The account, as the service names it')],
      body: 'Open',
      also: charging,
    }),
  },
  '/test/instruments': {
    post: operation({
      name: 'postTestInstrument',
      summary: 'A new instrument for a case of the conformance kit; in test set-ups alone',
      tag: 'Tests',
      answer: 'TestInstrumentAnswer',
      description: 'The instrument, as a charge carries it',
      body: 'TestInstrument',
    }),
  },
  '/test/payments': {
    post: operation({
      name: 'postTestPayment',
      summary: 'Have a wallet pay a code; in test set-ups alone',
      tag: 'Tests',
      answer: 'TestPaid',
      description: 'What the service answered to its intention',
      body: 'TestPayment',
    }),
  },
};

const notices = {
  notice: {
    post: {
      ...operation({
        name: 'postNotice',
        summary: 'What a connector tells by itself: POST {service}/connectors/{name}/notices',
        tag: 'Notices',
        answer: 'NoticeAnswer',
        description: 'It was taken. A `qr.intention` is answered with a status; others with {}',
        body: 'Notice',
      }),
    },
  },
};

/**
 * Returns the connector protocol as an OpenAPI document, from the schemas that both sides validate
 * with.
 */
export const connectorOpenApi = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Recaudo Connector Protocol',
    version: '1.0.0',
    description:
      'What a connector serves, and what it tells. docs/reference/connectors/ explains it.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: 'http://127.0.0.1:8471', description: 'A connector on the same machine' }],
  paths,
  webhooks: notices,
  components: {
    schemas: {
      ...schemas,
      Signed: signed,
      NoticeAnswer: {
        anyOf: [{ $ref: '#/components/schemas/IntentionAnswer' }, { type: 'object' }],
      },
      TestInstrumentAnswer: {
        type: 'object',
        required: ['instrument'],
        properties: { instrument: chargeSchema.properties.instrument },
      },
    },
    securitySchemes: {
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'webhook-signature',
        description: 'Standard Webhooks 1.0, with webhook-id and webhook-timestamp',
      },
    },
  },
});
