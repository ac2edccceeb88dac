import { Readable } from 'node:stream';
import type { Account } from '../../accounts/index.ts';
import { drawQrApart } from '../../qr/http.ts';
import {
  listPrintable,
  type PrintSelection,
  sheetEnd,
  sheetHead,
  sheetItem,
  sheetMore,
} from '../../qr/index.ts';
import { numberIn } from '../frame/index.ts';
import type { QrPageParts } from './parts.ts';

export type SheetParts = Pick<QrPageParts, 'base' | 'qrTerms'>;

/** Codes per sheet, so that browsers and printers can handle it. */
const mostCodes = 600;

/** A part of the printed sheet, with the address of the next. */
export interface SheetPage {
  /** Counts from 1. */
  no: number;
  next: string;
}

/** Returns the part of the sheet in an address. The next part has the same query. */
export function sheetPageIn({ path, query }: { path: string; query: URLSearchParams }): SheetPage {
  const no = Math.max(1, numberIn(query.get('page') ?? '') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(no + 1));
  return { no, next: `${path}?${next}` };
}

async function* linesOf(
  { base, qrTerms }: SheetParts,
  account: Account,
  selection: PrintSelection,
  { no, next }: SheetPage,
): AsyncGenerator<string> {
  yield sheetHead(account.name);
  const end = no * mostCodes;
  let place = 0;
  for await (const one of listPrintable(base, qrTerms)(account, selection)) {
    place += 1;
    if (place > end) {
      yield sheetMore(next, no + 1);
      break;
    }
    if (place <= end - mostCodes) continue;
    const image = Buffer.from(
      await drawQrApart({ account: account.id }, 'svg', one.payload),
    ).toString('base64');
    yield sheetItem(one, `data:image/svg+xml;base64,${image}`);
  }
  yield sheetEnd;
}

/** Renders codes to print and cut, as a document that loads nothing else. */
export const sheetFile = (
  parts: SheetParts,
  account: Account,
  selection: PrintSelection,
  page: SheetPage,
) => ({
  file: Readable.from(linesOf(parts, account, selection, page)),
  type: 'text/html; charset=utf-8',
  name: 'qr.html',
});
