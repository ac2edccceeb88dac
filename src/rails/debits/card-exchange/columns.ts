/**
 * Card debits for processors that publish no layout (American Express, Cabal, Naranja and others).
 * One line per debit, with the same fields in CSV and JSON (docs/reference/rails/card-exchange.md).
 */
export const orderColumns = [
  'reference',
  'mandate',
  'brand',
  'card_number',
  'amount',
  'currency',
  'due',
  'description',
] as const;

export const answerColumns = [
  'reference',
  'outcome',
  'amount',
  'date',
  'code',
  'text',
  'new_card_number',
] as const;

export type OrderColumn = (typeof orderColumns)[number];
export type AnswerColumn = (typeof answerColumns)[number];

export type Encoding = 'csv' | 'json';
