import { Readable } from 'node:stream';
import type { Account } from '../../accounts/index.ts';
import {
  listPrintable,
  loadDrawing,
  sheetEnd,
  sheetHead,
  sheetItem,
  type Wanted,
} from '../../qr/index.ts';
import type { QrPageParts } from './parts.ts';

export type SheetParts = Pick<QrPageParts, 'base' | 'qrTerms'>;

async function* linesOf(
  { base, qrTerms }: SheetParts,
  account: Account,
  wanted: Wanted,
): AsyncGenerator<string> {
  const { svg } = await loadDrawing();
  yield sheetHead(account.name);
  for await (const one of listPrintable(base, qrTerms)(account, wanted)) {
    const image = Buffer.from(svg(one.payload)).toString('base64');
    yield sheetItem(one, `data:image/svg+xml;base64,${image}`);
  }
  yield sheetEnd;
}

/** Codes to print and cut, as one document without anything else to load. */
export const sheetFile = (parts: SheetParts, account: Account, wanted: Wanted) => ({
  file: Readable.from(linesOf(parts, account, wanted)),
  type: 'text/html; charset=utf-8',
  name: 'qr.html',
});
