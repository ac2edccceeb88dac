import { type EventType, eventTypes } from '../events/index.ts';
import { httpUrl } from '../platform/http/fields.ts';
import { type Field, type Filled, fail, list, required } from '../platform/http/form.ts';
import { fault } from './codes.ts';

export const names = eventTypes.map(({ name }) => name);

/** By id and name. Ids may be strings, as in queries. */
const known = new Map<unknown, EventType>(
  eventTypes.flatMap((type) => [
    [type.id, type],
    [String(type.id), type],
    [type.name, type],
  ]),
);

export const eventType: Field<EventType> = {
  schema: {
    anyOf: [
      { type: 'string', enum: names },
      { type: 'integer', enum: eventTypes.map(({ id }) => id) },
    ],
    description: 'Name or id of an event type',
  },
  expectation: fault('webhook.event_type', {}),
  parse(value) {
    const type = known.get(value);
    return type ? { ok: true, value: type } : fail(fault('webhook.event_type_unknown', {}));
  },
};

const typeList = list(eventType, { max: 100 });

/** At least one, without duplicates. */
const someEventTypes: Field<EventType[]> = {
  schema: { ...typeList.schema, minItems: 1 },
  expectation: fault('webhook.event_types', { max: 100 }),
  typed: (text) => text.split(','),
  parse(value) {
    const parsed = typeList.parse(value);
    if (!parsed.ok) return parsed;
    if (parsed.value.length === 0) return fail(fault('webhook.no_event_types', {}));
    return { ok: true, value: [...new Set(parsed.value)].toSorted((a, b) => a.id - b.id) };
  },
};

/** The members of a registration. */
export const registration = {
  url: required(httpUrl(2_048)),
  event_types: required(someEventTypes),
};
export type WebhookInput = Filled<typeof registration>;
