import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type EventName, eventTypes, hasNumber } from '../../events/index.ts';
import { disputeStates } from '../../money/disputes/index.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { type RequestKind, transitions } from '../../requests/index.ts';
import { happened } from '../delivery/body.ts';

/** What is told of an event type: when it happens, and what its payload holds. */
interface Documented {
  when: string;
  payload: TObject;
}

const statesOf = (kind: RequestKind): string[] => [
  ...new Set(['pending', ...Object.values(transitions[kind]).map(({ to }) => to)]),
];

const requestState = (kind: RequestKind) =>
  Type.String({ enum: statesOf(kind), description: 'State of the request after the event' });

const resultId = Type.Integer({ description: 'The item of `request_result` that it is about' });
const reference = Type.Optional(
  Type.String({ description: 'The `external_reference` of the request, if it has one' }),
);

/** What happened to a request's money. */
const withResult = (kind: RequestKind, more: TProperties = {}) =>
  Type.Object({
    state: requestState(kind),
    external_reference: reference,
    request_result_id: resultId,
    amount: money,
    ...more,
  });

const withoutResult = (kind: RequestKind, more: TProperties = {}) =>
  Type.Object({ state: requestState(kind), external_reference: reference, ...more });

/** A QR is told by the id that its maker gave it; reports know it by this number. */
const requestId = { request_id: Type.Integer({ description: 'The `request_id` of reports' }) };

const batch = (state: string, more: TProperties = {}) =>
  Type.Object({
    state: Type.Literal(state),
    total_count: Type.Optional(Type.Integer()),
    created: Type.Optional(Type.Integer()),
    rejected: Type.Optional(Type.Integer()),
    ...more,
  });

const comment = Type.String({ description: 'Why, as `state_comment` tells it' });

const ofMandate = (state: string, more: TProperties = {}) =>
  Type.Object({ state: Type.Literal(state), external_reference: reference, ...more });

/** What is shown of a card on file. */
const cardShown = {
  card: Type.Optional(Type.String({ description: 'The brand' })),
  last_four_digits: Type.Optional(Type.String()),
  card_expires: Type.Optional(Type.String({ description: 'The last month of it, mm-yyyy' })),
};

const signed = (noun: string): Documented => ({
  when: `${noun} was signed by its holder`,
  payload: ofMandate('signed'),
});

const ended = (noun: string): Documented => ({
  when: `${noun} was canceled, declined, or not signed in time`,
  payload: ofMandate('canceled', { state_comment: comment }),
});

const refundId = { refund_id: Type.Integer({ description: 'The refund, as its GET names it' }) };

const reversed = {
  reversed_result_id: Type.Integer({ description: 'The payment taken back' }),
};

const afterRefund = { ...reversed, refund_id: Type.Optional(refundId.refund_id) };

/** A refund that is on its way, and one that never arrived. */
const ofRefund = (kind: RequestKind, more: TProperties = {}) => ({
  asked: {
    when: 'A refund was asked for: the money is on its way back',
    payload: withResult(kind, { ...refundId, ...more }),
  },
  failed: {
    when: 'A refund failed: the money stays with the account holder',
    payload: withResult(kind, {
      ...refundId,
      reason: Type.String({ description: 'Why' }),
      ...more,
    }),
  },
});

/** A dispute that was opened, or changed. Its money is told by events of its own. */
const ofDispute = (kind: RequestKind, more: TProperties = {}): Documented => ({
  when: 'A payment is disputed by its payer, or its dispute changed',
  payload: withoutResult(kind, {
    dispute_id: Type.Integer({ description: 'The dispute' }),
    dispute_state: Type.String({
      enum: [...disputeStates],
      description: 'How it stands',
    }),
    amount: money,
    taken: { ...money, description: 'What the acquirer holds back because of it' },
    reason: Type.Optional(Type.String({ description: 'Why, as the acquirer says' })),
    evidence_due_at: Type.Optional({ ...dateTime, description: 'Until when evidence is taken' }),
    ...more,
  }),
});

const withoutRun = (kind: RequestKind): Documented => ({
  when: 'A debit was canceled before it was submitted, or its mandate was',
  payload: withoutResult(kind, { state_comment: comment }),
});

/** One entry for each type of event, so that none is delivered undocumented. */
export const payloads: Record<EventName, Documented> = {
  'payment_request.paid': {
    when: 'A payment request was paid',
    payload: withResult('payment_request'),
  },
  'payment_request.rejected': {
    when: 'A payment of a payment request was rejected; it can be tried again',
    payload: withResult('payment_request'),
  },
  'payment_request.expired': {
    when: 'The last due date of a payment request passed without payment',
    payload: withoutResult('payment_request'),
  },
  'payment_request.reverted': {
    when: 'A payment was taken back by its holder (chargeback)',
    payload: withResult('payment_request', reversed),
  },
  'payment_request.refunded': {
    when: 'A payment was refunded, whole or in part',
    payload: withResult('payment_request', afterRefund),
  },
  'qr.paid': { when: 'A QR was paid', payload: withResult('qr', requestId) },
  'qr.refunded': {
    when: 'A payment of a QR went back to its payer',
    payload: withResult('qr', { ...requestId, ...afterRefund }),
  },
  'qr.deleted': { when: 'A QR was deleted', payload: withoutResult('qr', { amount: money }) },
  'qr.expired': {
    when: 'The due date of a QR passed without payment',
    payload: withoutResult('qr'),
  },
  'qr_batch.completed': {
    when: 'An uploaded file of QR records was processed',
    payload: batch('completed'),
  },
  'adhesion.signed': signed('An adhesion'),
  'adhesion.canceled': ended('An adhesion'),
  'card_adhesion.signed': signed('A card adhesion'),
  'card_adhesion.canceled': ended('A card adhesion'),
  'card_adhesion.card_updated': {
    when: 'The card of a card adhesion has another number or expiry, or is good again',
    payload: ofMandate('signed', cardShown),
  },
  'card_adhesion.card_closed': {
    when: 'The issuer closed the card of a card adhesion: debits on it are rejected',
    payload: ofMandate('signed', {
      ...cardShown,
      reason: Type.String({ description: 'Why, as the acquirer says' }),
    }),
  },
  'card_adhesion.card_expiring': {
    when: 'The card of a card adhesion expires within 30 days',
    payload: ofMandate('signed', cardShown),
  },
  'debit_request.paid': {
    when: 'A debit on a bank account was paid',
    payload: withResult('debit_request'),
  },
  'debit_request.rejected': {
    when: 'A debit on a bank account was rejected',
    payload: withResult('debit_request'),
  },
  'debit_request.canceled': withoutRun('debit_request'),
  'debit_request.reverted': {
    when: 'A debit on a bank account was taken back by its holder',
    payload: withResult('debit_request', reversed),
  },
  'debit_request.refunded': {
    when: 'A debit on a bank account was refunded, whole or in part',
    payload: withResult('debit_request', afterRefund),
  },
  'card_debit_request.paid': {
    when: 'A debit on a card was paid',
    payload: withResult('card_debit_request'),
  },
  'card_debit_request.rejected': {
    when: 'A debit on a card was rejected',
    payload: withResult('card_debit_request'),
  },
  'card_debit_request.canceled': withoutRun('card_debit_request'),
  'card_debit_request.reverted': {
    when: 'A debit on a card was taken back by its holder',
    payload: withResult('card_debit_request', reversed),
  },
  'card_debit_request.refunded': {
    when: 'A debit on a card was refunded, whole or in part',
    payload: withResult('card_debit_request', afterRefund),
  },
  'payment_request.refund_requested': ofRefund('payment_request').asked,
  'payment_request.refund_failed': ofRefund('payment_request').failed,
  'qr.refund_requested': ofRefund('qr', requestId).asked,
  'qr.refund_failed': ofRefund('qr', requestId).failed,
  'debit_request.refund_requested': ofRefund('debit_request').asked,
  'debit_request.refund_failed': ofRefund('debit_request').failed,
  'card_debit_request.refund_requested': ofRefund('card_debit_request').asked,
  'card_debit_request.refund_failed': ofRefund('card_debit_request').failed,
  'payment_request.disputed': ofDispute('payment_request'),
  'qr.disputed': ofDispute('qr', requestId),
  'card_debit_request.disputed': ofDispute('card_debit_request'),
  'qr_batch.failed': {
    when: 'An uploaded file of QR records could not be processed',
    payload: batch('failed', { error: Type.Optional(Type.String()) }),
  },
};

const entityOf = (name: EventName): string => name.slice(0, name.indexOf('.'));

/** The body that a webhook receives for an event type. */
function bodyOf(name: EventName): TObject {
  const entity = entityOf(name);
  const description = 'Id of the entity, as its GET takes it';
  const id = hasNumber(entity) ? Type.Integer({ description }) : Type.String({ description });
  return Type.Object(
    {
      entity_name: Type.Literal(entity, { description: 'Kind of entity' }),
      type: Type.Literal(happened(name), { description: 'What happened to it' }),
      event_type: Type.Literal(name, { description: 'Both of them, with a dot between' }),
      entity_id: id,
      created_at: dateTime,
      payload: Type.Object(
        { id, ...payloads[name].payload.properties },
        { description: 'The entity after the event, and what the event is about' },
      ),
    },
    { title: `${typeNameOf(name)}Event` },
  );
}

/** `payment_request.paid` as a type is named: `PaymentRequestPaid`. */
const typeNameOf = (name: EventName): string =>
  name.replace(/(?:^|[._])([a-z])/g, (_all, first: string) => first.toUpperCase());

const examples: Readonly<Record<string, unknown>> = {
  created_at: '2026-11-22T09:30:00-03:00',
  evidence_due_at: '2026-12-02T00:00:00-03:00',
  external_reference: 'socio 17',
  state_comment: 'Canceled by its holder.',
  reason: 'The account is closed.',
  error: 'The document is not valid JSON.',
  card: 'Visa',
  last_four_digits: '4905',
  card_expires: '12-2030',
  amount: 1430.5,
  taken: 1430.5,
  total_count: 3,
  created: 2,
  rejected: 1,
};

/** A value that a member may have. */
function exampleOf(event: EventName, member: string, schema: TSchema): unknown {
  if ('const' in schema) return schema.const;
  if (member in examples) return examples[member];
  if ('enum' in schema && Array.isArray(schema.enum)) {
    const { enum: values } = schema;
    return [happened(event), 'paid'].find((one) => values.includes(one)) ?? values[0];
  }
  if ('properties' in schema) {
    return Object.fromEntries(
      Object.entries(schema.properties as TProperties).map(([name, inner]) => [
        name,
        exampleOf(event, name, inner),
      ]),
    );
  }
  return 'type' in schema && schema.type === 'integer' ? 17 : 'A1B2C3D4-CUOTA-0017';
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const headers = [
  header('webhook-id', 'The same on every attempt of this event: receivers deduplicate by it'),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt'),
  header('webhook-signature', 'Standard Webhooks `v1,<base64>`, one or two separated by a space'),
];

/** The `webhooks` section of the OpenAPI document: what receivers get, by event type. */
export const webhookDocument = (): Record<string, object> =>
  Object.fromEntries(
    eventTypes.map(({ name }) => [
      name,
      {
        post: {
          operationId: `on${typeNameOf(name)}`,
          tags: ['Events'],
          summary: payloads[name].when,
          description: `Sent as \`${name}\`, at least once. Answer with any 2xx.`,
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: bodyOf(name),
                example: exampleOf(name, '', bodyOf(name)),
              },
            },
          },
          responses: { '2XX': { description: 'Received; any other answer is tried again' } },
        },
      },
    ]),
  );
