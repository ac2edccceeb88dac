import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type EventName, eventTypes, hasNumber } from '../../events/index.ts';
import { dateTime } from '../../platform/http/shapes.ts';
import { happened } from '../delivery/body.ts';
import { payloads } from './payloads.ts';

const entityOf = (name: EventName): string => name.slice(0, name.indexOf('.'));

function bodyOf(name: EventName): TObject {
  const entity = entityOf(name);
  const description = 'Id of the entity, as in its GET';
  const id = hasNumber(entity) ? Type.Integer({ description }) : Type.String({ description });
  return Type.Object(
    {
      entity_name: Type.Literal(entity, { description: 'Kind of entity' }),
      type: Type.Literal(happened(name), { description: 'The part of `event_type` after the dot' }),
      event_type: Type.Literal(name, { description: '`entity_name` and `type`, joined by a dot' }),
      entity_id: id,
      created_at: dateTime,
      payload: Type.Object(
        { id, ...payloads[name].payload.properties },
        { description: 'State of the entity after the event, with event-specific fields' },
      ),
    },
    { title: `${typeNameOf(name)}Event` },
  );
}

/** Converts `payment_request.paid` to the type name `PaymentRequestPaid`. */
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
  header('webhook-id', 'Same on every attempt of this event; use it to deduplicate'),
  header('webhook-timestamp', 'Unix time of this attempt, in seconds'),
  header('webhook-signature', 'Standard Webhooks `v1,<base64>`, one or two separated by a space'),
];

/** Builds the `webhooks` section of the OpenAPI document: bodies by event type. */
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
          responses: { '2XX': { description: 'Received; any other answer is retried' } },
        },
      },
    ]),
  );
