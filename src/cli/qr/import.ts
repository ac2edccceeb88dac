import { type FileHandle, open } from 'node:fs/promises';
import { getAccount } from '../../accounts/index.ts';
import { offerFor, qrTermsOf } from '../../composition/offer.ts';
import { csvLine } from '../../kernel/csv.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import { type ImportedRow, importRows } from '../../qr/index.ts';
import type { BaseContext } from '../command.ts';
import { exits } from '../failure.ts';
import { exitWith } from '../invocation.ts';
import { linksOf } from '../links.ts';
import { type Answering, print } from '../print.ts';
import { withProgress } from '../progress.ts';
import { type ItemFile, openItemFile } from './file.ts';

/** Items per transaction. */
const pageSize = 5_000;

const resultColumns = ['index', 'id', 'status', 'errors', 'qr_string', 'image_url'];

/** Formats an item's result as a CSV line. Faults name the file's own columns. */
const resultLine =
  (headings: ReadonlyMap<string, string>) =>
  ({ index, id, status, errors, qrString, imageUrl }: ImportedRow): string => {
    const faultText = ({ field, message }: ImportedRow['errors'][number]): string =>
      field === undefined ? message : `${headings.get(field) ?? field}: ${message}`;
    return csvLine([
      index,
      id ?? '',
      status,
      errors.map(faultText).join(' '),
      qrString ?? '',
      imageUrl ?? '',
    ]);
  };

export interface ImportOptions extends Answering {
  account: string;
}

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/**
 * Creates a new result file next to the imported one, so that a second run does not overwrite the
 * first's.
 */
async function newResultFile(file: string): Promise<{ path: string; result: FileHandle }> {
  for (let no = 1; ; no += 1) {
    const path = `${file}.result${no === 1 ? '' : `-${no}`}.csv`;
    try {
      return { path, result: await open(path, 'wx') };
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }
}

/** Imports page by page, and records each item's result as soon as it is known. */
async function importPages(
  { total, headings, pages }: ItemFile,
  importPage: (items: unknown[], from: number) => Promise<ImportedRow[]>,
  result: FileHandle,
): Promise<{ total: number; created: number; rejected: number }> {
  workExpected(total);
  let done = 0;
  let created = 0;
  await result.appendFile(csvLine(resultColumns));
  for await (const items of pages(pageSize)) {
    const rows = await importPage(items, done);
    await result.appendFile(rows.map(resultLine(headings)).join(''));
    done += rows.length;
    created += rows.filter(({ status }) => status === 'created').length;
    workDone(rows.length);
  }
  return { total: done, created, rejected: done - created };
}

/** Imports a file of QRs. A result file next to it reports each item. */
export async function importFile(
  context: BaseContext,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { base, sql, config, actor } = context;
  const account = await getAccount(sql, options.account);
  const importTo = importRows(base, {
    links: await linksOf(context),
    terms: qrTermsOf(config, offerFor(config)),
  });
  const items = await openItemFile(file);
  const { path: resultFile, result } = await newResultFile(file);
  const importPage = (page: unknown[], from: number) =>
    importTo(account, { items: page, from, actor });
  const importAll = () => importPages(items, importPage, result);
  const counts = await withProgress(options, importAll).finally(() => result.close());
  const { created, rejected } = counts;
  const text = `${created} created, ${rejected} rejected; ${resultFile} has the outcome of each`;
  print(text, { ...counts, result_file: resultFile }, options);
  if (rejected > 0) exitWith(exits.failed);
}
