import { Compile } from 'typebox/compile';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is what tests check
type Json = any;

export const jsonSchema = (place: Json): Json => place.content['application/json'].schema;

/** Returns the schema of an event type's body, closed: an unknown member is a fault. */
export const bodySchema = (document: Json, type: string): Json => {
  const schema = jsonSchema(document.webhooks[type].post.requestBody);
  const payload = { ...schema.properties.payload, additionalProperties: false };
  const properties = { ...schema.properties, payload };
  return { ...schema, properties, additionalProperties: false };
};

export const expectFits = (schema: Json, value: unknown): void => {
  expect([...Compile(schema).Errors(value)]).toEqual([]);
};
