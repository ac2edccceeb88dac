import { type TSchema, Type } from 'typebox';

export const money = Type.Number({ description: 'Pesos, at most 2 decimals' });
export const dateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with the Argentine offset',
});

/** Builds the shape of a list's page, named after that of its items. */
export const pageAnswer = (item: TSchema) =>
  Type.Object(
    {
      current_page: Type.Optional(Type.Integer()),
      items_per_page: Type.Integer(),
      total_count: Type.Optional(Type.Integer()),
      data: Type.Array(item),
    },
    'title' in item ? { title: `${item.title}List` } : {},
  );
