import { Readable } from 'node:stream';
import type { Account } from '../../accounts/index.ts';
import { drawQrApart } from '../../qr/http.ts';
import {
  listPrintable,
  type Printable,
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

/** A part of the printed sheet. */
export interface SheetPage {
  /** Counts from 1. */
  no: number;
  /** The last code of the part before. Undefined for the first part. */
  after: Pick<Printable, 'kind' | 'number'> | undefined;
  /** Returns the address of the next part. */
  next(last: Printable): string;
}

const mostParts = 1_000_000;

/**
 * Returns the part of the sheet in an address. The next part has the same query and begins after
 * the last code, because a code that was paid in between no longer counts.
 */
export function sheetPageIn({ path, query }: { path: string; query: URLSearchParams }): SheetPage {
  const [, kind, digits = ''] =
    /^(static|dynamic)-(\d{1,16})$/.exec(query.get('after') ?? '') ?? [];
  const number = numberIn(digits);
  const after = kind === undefined || number === null ? undefined : { kind, number };
  const page = Math.max(1, numberIn(query.get('page') ?? '') ?? 1);
  const no = after === undefined ? 1 : Math.min(mostParts, page);
  return {
    no,
    after: after as SheetPage['after'],
    next(last) {
      const next = new URLSearchParams(query);
      next.set('page', String(no + 1));
      next.set('after', `${last.kind}-${last.number}`);
      return `${path}?${next}`;
    },
  };
}

async function* linesOf(
  { base, qrTerms }: SheetParts,
  account: Account,
  selection: PrintSelection,
  { no, after, next }: SheetPage,
): AsyncGenerator<string> {
  yield sheetHead(account.name);
  let codes = 0;
  let last: Printable | null = null;
  for await (const one of listPrintable(base, qrTerms)(account, selection, after)) {
    if (codes === mostCodes && last !== null) {
      yield sheetMore(next(last), no + 1);
      break;
    }
    codes += 1;
    last = one;
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
