import { Type } from 'typebox';

/** Shapes that answers of all nouns have in common. */
export const money = Type.Number({ description: 'Pesos, at most 2 decimals' });
export const dateTime = Type.String({ description: 'ISO 8601 with the Argentine offset' });
