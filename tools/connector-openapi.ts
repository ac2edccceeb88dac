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

/** The member of every body that binds its signature to one call. */
const signed: Json = {
  type: 'object',
  required: ['for'],
  properties: {
    for: {
      type: 'string',
      description: 'Method and path of the signed call',
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

const attempt = inPath('attempt', 'Id of the charge');
const card = inPath('card', 'Id of the card on file');
const refund = inPath('refund', 'Id of the refund');

const faults: Record<string, string> = {
  '400': 'The message violates the protocol; nothing was sent to the acquirer',
  '401':
    'The signature is missing, wrong, expired, for another call, or repeated; nothing was done',
  '413': 'The body exceeds 64 KiB',
  '502': 'The outcome is unknown; query it later',
};
const charging: Record<string, string> = {
  '409': 'The id was used with another body; the first call stands',
  '422': 'The order can never be carried out; nothing was sent to the acquirer',
};

const ending: Record<string, string> = {
  '409': 'A capture or void was ordered before; the first order stands',
  '422': 'The connector does not support authorizations',
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
      summary: 'Get the capabilities of the connector',
      tag: 'Manifest',
      answer: 'Manifest',
      description: 'The manifest',
    }),
  },
  '/charges': {
    get: operation({
      name: 'listCharges',
      summary: 'List the charges that the acquirer has, for reconciliation',
      tag: 'Charges',
      answer: 'ChargeList',
      description: 'A page, which can be empty and still have a next page',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/transfers': {
    get: operation({
      name: 'listTransfers',
      summary: 'List received transfers, for reconciliation. For connectors of `wire_transfer`',
      tag: 'Transfers',
      answer: 'TransferList',
      description: 'A page, which can be empty and still have a next page',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/settlements': {
    get: operation({
      name: 'listSettlements',
      summary: 'List the lines of payouts of these days. Requires `settlements` in the manifest',
      tag: 'Settlements',
      answer: 'SettlementList',
      description: 'A page, which can be empty and still have a next page',
      parameters: inQuery(listQuerySchema),
    }),
  },
  '/charges/{attempt}': {
    put: operation({
      name: 'putCharge',
      summary: 'Charge once',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'The outcome; the same for a repeated order',
      parameters: [attempt],
      body: 'Charge',
      also: charging,
    }),
    get: operation({
      name: 'getCharge',
      summary: 'Get the outcome of a charge',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'The outcome as known now',
      parameters: [attempt, ...inQuery(querySchema)],
    }),
  },
  '/charges/{attempt}/cancel': {
    post: operation({
      name: 'cancelCharge',
      summary: 'Cancel a pending charge',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'The outcome of the charge after the call',
      parameters: [attempt],
      body: 'Cancel',
      also: { '422': 'Charges of this channel cannot be canceled' },
    }),
  },
  '/charges/{attempt}/capture': {
    put: operation({
      name: 'captureCharge',
      summary: 'Capture an authorized charge once. Requires `captures` in the manifest',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'The outcome of the charge after the call; the same for a repeated order',
      parameters: [attempt],
      body: 'Hold',
      also: ending,
    }),
  },
  '/charges/{attempt}/void': {
    put: operation({
      name: 'voidCharge',
      summary: 'Void an authorized charge. Requires `captures` in the manifest',
      tag: 'Charges',
      answer: 'Outcome',
      description: 'The outcome of the charge after the call; the same for a repeated order',
      parameters: [attempt],
      body: 'Hold',
      also: ending,
    }),
  },
  '/charges/{attempt}/refunds/{refund}': {
    put: operation({
      name: 'putRefund',
      summary: 'Refund once',
      tag: 'Refunds',
      answer: 'RefundOutcome',
      description: 'The outcome',
      parameters: [attempt, refund],
      body: 'Refund',
      also: charging,
    }),
    get: operation({
      name: 'getRefund',
      summary: 'Get the outcome of a refund',
      tag: 'Refunds',
      answer: 'RefundOutcome',
      description: 'The outcome as known now',
      parameters: [attempt, refund, ...inQuery(querySchema)],
    }),
  },
  '/cards/{card}': {
    put: operation({
      name: 'putCard',
      summary: 'Store the card of a token on file, once',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'The outcome; the same for a repeated order',
      parameters: [card],
      body: 'Keep',
      also: charging,
    }),
    get: operation({
      name: 'getCard',
      summary: 'Get the outcome of storing a card',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'The outcome as known now',
      parameters: [card, ...inQuery(querySchema)],
    }),
  },
  '/cards/{card}/forget': {
    post: operation({
      name: 'forgetCard',
      summary: 'Delete a card on file. Succeeds if it is already deleted',
      tag: 'Cards on file',
      answer: 'CardOutcome',
      description: 'The card is deleted',
      parameters: [card],
      body: 'Forget',
      also: { '422': 'The connector does not store cards' },
    }),
  },
  '/accounts/{reference}': {
    put: operation({
      name: 'putAccount',
      summary:
        'Open an account for transfers of one request. Repeat the call to get a pending outcome',
      tag: 'Transfers',
      answer: 'AccountOutcome',
      description: 'The outcome; an open account stays the same',
      parameters: [inPath('reference', 'Id of the account at the service')],
      body: 'Open',
      also: charging,
    }),
  },
  '/test/instruments': {
    post: operation({
      name: 'postTestInstrument',
      summary: 'Create an instrument for a case of the conformance kit. Test deployments only',
      tag: 'Tests',
      answer: 'TestInstrumentAnswer',
      description: 'The instrument of the charge',
      body: 'TestInstrument',
    }),
  },
  '/test/payments': {
    post: operation({
      name: 'postTestPayment',
      summary: 'Pay a code with a simulated wallet. Test deployments only',
      tag: 'Tests',
      answer: 'TestPaid',
      description: 'The service’s answer to the payment intention',
      body: 'TestPayment',
    }),
  },
};

const notices = {
  notice: {
    post: {
      ...operation({
        name: 'postNotice',
        summary: 'Send a notice to the service: POST {service}/connectors/{name}/notices',
        tag: 'Notices',
        answer: 'NoticeAnswer',
        description:
          'The service accepted the notice. The answer to `qr.intention` has a status, others are {}',
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
      'The calls that a connector serves, and the notices that it sends. docs/reference/connectors/ explains them.',
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
