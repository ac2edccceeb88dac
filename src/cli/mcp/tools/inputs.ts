import { Type } from 'typebox';

export const day = (description: string) =>
  Type.String({ description: `${description}; dd-mm-yyyy or yyyy-mm-dd`, maxLength: 10 });

export const pesos = (description: string) => Type.Number({ description, exclusiveMinimum: 0 });

export const text = (description: string, maxLength = 255) =>
  Type.String({ description, minLength: 1, maxLength });

export const requestId = (description: string) => Type.Integer({ description, minimum: 1 });

export const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });

export const idempotencyKey = Type.Optional(
  text('Your own name for this act, such as an order number: repeated with it, it happens once'),
);

/** Converts yyyy-mm-dd to the service's dd-mm-yyyy. Other texts stay unchanged. */
export const sentDay = (given: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(given) ? given.split('-').toReversed().join('-') : given;

export const optionalDay = (given: string | undefined) =>
  given === undefined ? undefined : sentDay(given);

export const keyed = (idempotency_key: string | undefined) => ({ idempotencyKey: idempotency_key });
