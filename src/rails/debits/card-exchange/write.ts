import { brandOf } from '../../../kernel/card-number.ts';
import { centavos, decimalText } from '../../../kernel/money.ts';
import { toAscii } from '../../../kernel/text.ts';
import { compact } from '../../files/days.ts';
import { type CardOutbound, type CardSubmission, mandateCode, runReference } from '../debit.ts';
import { type Encoding, type OrderColumn, orderColumns } from './columns.ts';

const longestDescription = 60;

/** Keeps letters, digits and dots, so that no cell needs quotes or starts a spreadsheet formula. */
const plain = (text: string): string =>
  toAscii(text)
    .replace(/[^A-Za-z0-9.]+/g, ' ')
    .trim()
    .slice(0, longestDescription)
    .trim();

const membersOf = ({
  run,
  mandateId,
  number,
  description,
}: CardSubmission): Record<OrderColumn, string> => ({
  reference: runReference(run.request_id, run.no),
  mandate: mandateCode(mandateId),
  brand: brandOf(number) ?? '',
  card_number: number,
  amount: decimalText(run.amount),
  currency: 'ARS',
  due: run.run_on.toString(),
  description: plain(description),
});

const encoders: Record<Encoding, (members: Record<OrderColumn, string>) => string> = {
  csv: (members) => orderColumns.map((column) => members[column]).join(','),
  json: (members) => JSON.stringify(members),
};

const outbound = (encoding: Encoding): CardOutbound => ({
  name: `cards-${encoding}`,
  title: `card debits of brands without a public layout, ${encoding === 'csv' ? 'CSV' : 'JSON lines'}`,
  kind: 'card_debit_request',
  room: { count: 1_000_000, total: centavos(Number.MAX_SAFE_INTEGER) },
  brands: ({ exchangeBrands }) => exchangeBrands,
  longestCard: 19,
  isConfigured: ({ exchangeBrands }) => exchangeBrands.length > 0,
  takes: () => true,
  createWriter: (_terms, { date }) => ({
    name: `CARDS-${compact(date)}.${encoding}`,
    head: () => (encoding === 'csv' ? orderColumns.join(',') : null),
    line: (submission) => encoders[encoding](membersOf(submission)),
    tail: () => null,
  }),
});

export const cardsCsv = outbound('csv');
export const cardsJson = outbound('json');
