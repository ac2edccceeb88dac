import { Type } from 'typebox';
import { cardBrandNames } from '../names.ts';

// Fields that the messages have in common.

export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
export const centavos = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 999_999_999_999, description });
export const moment = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$', description });
export const seconds = (most: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: most, description });
export const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });

/** Our ids: letters, digits and dashes, unique in the deployment. */
export const idPattern = '^[A-Za-z0-9-]{1,32}$';
export const id = (description: string) => Type.String({ pattern: idPattern, description });

export const cardBrand = oneOf(cardBrandNames, 'Brand of the card');
export const cardKind = oneOf(['credit', 'debit'], 'Kind of the card; determines channel and fee');
export const bin = Type.String({
  pattern: '^[0-9]{6,8}$',
  description: 'First digits of the card',
});
export const lastFour = Type.String({
  pattern: '^[0-9]{4}$',
  description: 'Last digits of the card',
});
export const address = Type.String({ pattern: '^https?://\\S+$', maxLength: 2048 });

export const account = Type.Object({
  id: Type.String({ pattern: '^[0-9A-F]{8}$' }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Current settings of this account for this connector',
  }),
});

export const alarm = Type.Optional(
  text(500, 'A configuration fault that the operator must correct; raises an alarm'),
);
export const reference = text(64, "The acquirer's id of it");
