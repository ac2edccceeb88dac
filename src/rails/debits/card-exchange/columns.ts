/**
 * The exchange of card debits with processors that publish no layout of their own (American
 * Express, Cabal, Naranja and others): the same members as columns of CSV or as JSON, one line for
 * each debit (docs/reference/rails/card-exchange.md).
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

/** The two ways to write the same. */
export type Encoding = 'csv' | 'json';
