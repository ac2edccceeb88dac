import { type EventType, eventTypes, everyEvent } from '../events/index.ts';
import { httpUrl } from '../platform/http/fields.ts';
import { type Field, type Filled, fail, list, optional, required } from '../platform/http/form.ts';
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

/** An event type, or `*` for all of them. */
const wantedType: Field<EventType> = {
  schema: {
    anyOf: [
      { type: 'string', enum: [everyEvent.name, ...names] },
      { type: 'integer', enum: eventTypes.map(({ id }) => id) },
    ],
    description: 'Name or id of an event type, or `*` for every event, also of types added later',
  },
  expectation: eventType.expectation,
  parse: (value) =>
    value === everyEvent.name ? { ok: true, value: everyEvent } : eventType.parse(value),
};

const typeList = list(wantedType, { max: 100 });

/** At least one. Drops duplicates. `*` replaces the others. */
const someEventTypes: Field<EventType[]> = {
  schema: { ...typeList.schema, minItems: 1 },
  expectation: fault('webhook.event_types', { max: 100 }),
  typed: (text) => text.split(','),
  parse(value) {
    const parsed = typeList.parse(value);
    if (!parsed.ok) return parsed;
    if (parsed.value.length === 0) return fail(fault('webhook.no_event_types', {}));
    const wanted = [...new Set(parsed.value)].toSorted((a, b) => a.id - b.id);
    return { ok: true, value: wanted.includes(everyEvent) ? [everyEvent] : wanted };
  },
};

export const registration = {
  url: required(httpUrl(2_048)),
  event_types: required(someEventTypes),
};
export type WebhookInput = Filled<typeof registration>;

/** The members of a change. An absent one keeps its value. */
export const changes = {
  url: optional(registration.url.field),
  event_types: optional(registration.event_types.field),
};

/**
 * Returns the ids to store. Those of all known types accompany `*`, so that processes of an earlier
 * release, which do not know it, send these.
 */
export const storedTypes = (wanted: readonly EventType[]): number[] =>
  (wanted.some(({ id }) => id === everyEvent.id) ? [everyEvent, ...eventTypes] : wanted).map(
    ({ id }) => id,
  );

/** Returns the names of stored types: `*` alone if it wants every event. */
export const typeNames = (ids: readonly number[]): string[] =>
  ids.includes(everyEvent.id)
    ? [everyEvent.name]
    : eventTypes.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
