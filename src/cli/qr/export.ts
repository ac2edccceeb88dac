import { type FileHandle, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getAccount } from '../../accounts/index.ts';
import { offerFor, qrTermsOf } from '../../composition/offer.ts';
import { maskCardNumbers } from '../../kernel/card-text.ts';
import { csvLine } from '../../kernel/csv.ts';
import { formatDay, midnightOf } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import {
  type ImageFormat,
  listPrintable,
  loadDrawing,
  type Printable,
  type PrintSelection,
  readQrId,
  sheetEnd,
  sheetHead,
  sheetItem,
} from '../../qr/index.ts';
import type { BaseContext } from '../command.ts';
import { type Answering, print } from '../print.ts';
import { withProgress } from '../progress.ts';

export interface ExportOptions extends Answering {
  account: string;
  images: string;
  format: ImageFormat;
  since?: Temporal.PlainDate;
  ids?: string;
}

const indexColumns = [
  'id',
  'kind',
  'file',
  'payer_name',
  'description',
  'external_reference',
  'first_total',
  'first_due_date',
  'qr_string',
];

const indexLine = (qr: Printable, file: string): string =>
  csvLine([
    qr.id,
    qr.kind,
    file,
    qr.payer,
    qr.description,
    maskCardNumbers(qr.reference ?? ''),
    qr.total === null ? '' : decimalText(qr.total),
    qr.due === null ? '' : formatDay(qr.due),
    qr.payload,
  ]);

/**
 * Returns a file's name: the id. Static QRs have a suffix, because a dynamic one may share the id.
 */
const fileOf = ({ id, kind }: Printable, format: ImageFormat): string =>
  kind === 'static' ? `${id}.static.${format}` : `${id}.${format}`;

/** Reads ids, one per line, with or without the account's prefix. */
async function idsIn(file: string, accountId: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const id = readQrId(line, accountId);
      if (!id.ok) throw new Error(`${line} is not the id of a QR of this account.`);
      return id.value;
    });
}

async function selectionOf({ account, ids, since }: ExportOptions): Promise<PrintSelection> {
  if (ids !== undefined) return { ids: await idsIn(ids, account) };
  return { createdFrom: since ? midnightOf(since) : null };
}

interface Outputs {
  index: FileHandle;
  sheet: FileHandle;
}

async function withOutputs<T>(folder: string, write: (outputs: Outputs) => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const index = await open(path.join(folder, 'index.csv'), 'w');
  try {
    const sheet = await open(path.join(folder, 'sheet.html'), 'w');
    try {
      return await write({ index, sheet });
    } finally {
      await sheet.close();
    }
  } finally {
    await index.close();
  }
}

/** Writes an image per QR, a list of them, and a printable sheet. */
export async function exportImages(
  { base, sql, config }: BaseContext,
  options: ExportOptions,
): Promise<void> {
  const account = await getAccount(sql, options.account);
  const selection = await selectionOf(options);
  const list = listPrintable(base, qrTermsOf(config, offerFor(config)));
  const missing = new Set('ids' in selection ? selection.ids : []);
  const draw = (await loadDrawing())[options.format];
  let count = 0;
  const write = async ({ index, sheet }: Outputs): Promise<void> => {
    await index.appendFile(csvLine(indexColumns));
    await sheet.appendFile(sheetHead(account.name));
    for await (const qr of list(account, selection)) {
      const file = fileOf(qr, options.format);
      await writeFile(path.join(options.images, file), draw(qr.payload));
      await index.appendFile(indexLine(qr, file));
      await sheet.appendFile(sheetItem(qr, file));
      missing.delete(qr.id);
      count += 1;
      workDone(1);
    }
    await sheet.appendFile(sheetEnd);
  };
  await withProgress(options, () => {
    if ('ids' in selection) workExpected(selection.ids.length);
    return withOutputs(options.images, write);
  });
  const text = `${count} images, index.csv and sheet.html in ${options.images}`;
  print(text, { images: count, folder: options.images }, options);
  if (missing.size > 0) {
    throw new Error(`There are no QRs with these ids: ${[...missing].join(', ')}`);
  }
}
