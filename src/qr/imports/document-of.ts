import { setImmediate as othersTurn } from 'node:timers/promises';
import { toAscii } from '../../kernel/text.ts';
import { Refusal } from '../../platform/errors.ts';
import {
  amountOf,
  type Cell,
  dayTextOf,
  flagOf,
  textOfCell,
} from '../../platform/spreadsheets/cells.ts';
import { readSpreadsheet } from '../../platform/spreadsheets/read.ts';
import type { NumberedRow, Table } from '../../platform/spreadsheets/table.ts';
import { qrItemSchema } from '../item.ts';
import { mostItems } from './batch.ts';

/** Spreadsheets whose first row names the fields, as the documents that imports are made of. */

const readers: Readonly<Record<string, (cell: Cell) => string>> = {
  first_total: amountOf,
  second_total: amountOf,
  first_due_date: dayTextOf,
  second_due_date: dayTextOf,
  multiple_payment: flagOf,
};

const fields = Object.keys(qrItemSchema.properties as object);
const needed = (qrItemSchema.required as readonly string[]).filter(
  (name) => name !== 'multiple_payment',
);

/** What offices call the fields. */
const words: Readonly<Record<string, string>> = {
  codigo: 'id',
  identificador: 'id',
  ciudad: 'city',
  localidad: 'city',
  concepto: 'description',
  descripcion: 'description',
  importe: 'first_total',
  monto: 'first_total',
  vencimiento: 'first_due_date',
  'segundo importe': 'second_total',
  'segundo vencimiento': 'second_due_date',
  pagador: 'payer_name',
  nombre: 'payer_name',
  mail: 'payer_email',
  email: 'payer_email',
  referencia: 'external_reference',
  'codigo postal': 'postal_code',
  'varios pagos': 'multiple_payment',
};

function fieldOf(heading: string): string | null {
  const name = toAscii(heading).trim().toLowerCase();
  return fields.includes(name) ? name : (words[name] ?? null);
}

function placesOf(columns: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, heading] of columns.entries()) {
    const field = fieldOf(heading);
    if (field === null) continue;
    if (places.has(field)) {
      throw new Refusal('unprocessable', `Two columns are ${field}: leave one of them.`);
    }
    places.set(field, place);
  }
  const missing = needed.filter((name) => !places.has(name));
  if (missing.length > 0) {
    const message = `The first row must name the columns; these are missing: ${missing.join(', ')}.`;
    throw new Refusal('unprocessable', message);
  }
  return places;
}

const itemOf = (places: Map<string, number>, cells: readonly Cell[]): Record<string, string> => ({
  multiple_payment: 'false',
  ...Object.fromEntries(
    [...places].flatMap(([field, place]) => {
      const text = (readers[field] ?? textOfCell)(cells[place] ?? '');
      return text === '' ? [] : [[field, text]];
    }),
  ),
});

const byteOrderMark = '\uFEFF';

const looksLikeJson = (bytes: Buffer): boolean =>
  bytes.toString('utf8', 0, 1_024).replace(byteOrderMark, '').trimStart().startsWith('{');

/** Rows of a page as the document has them. */
const itemsOf = (page: string, places: Map<string, number>): string =>
  (JSON.parse(page) as NumberedRow[])
    .map(([, cells]) => JSON.stringify(itemOf(places, cells)))
    .join(',');

/** A document of these rows, a page at a time; others get their turn between. */
async function* written({ count, pages }: Table, places: Map<string, number>) {
  yield Buffer.from(`{"total_count":${count},"data":[`);
  for (const [index, page] of pages.entries()) {
    await othersTurn();
    yield Buffer.from(`${index === 0 ? '' : ','}${itemsOf(page, places)}`);
  }
  yield Buffer.from(']}');
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * The document of a file, in pieces: itself where it is one, or the rows of a spreadsheet (CSV,
 * XLSX). Throws a Refusal, before anything is read from it, for what is neither.
 */
export async function documentOf(bytes: Buffer): Promise<AsyncIterable<Buffer>> {
  if (looksLikeJson(bytes)) return whole(bytes);
  const table = await readSpreadsheet(bytes, { rows: mostItems, columns: 100 });
  return written(table, placesOf(table.columns));
}
