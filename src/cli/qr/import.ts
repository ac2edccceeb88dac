import { getAccount } from '../../accounts/index.ts';
import { offerFor, qrTermsOf } from '../../composition/offer.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import { type ImportedRow, importRows } from '../../qr/index.ts';
import type { BaseContext } from '../command.ts';
import { exits } from '../failure.ts';
import { createTable, type TableFile } from '../imports/table-file.ts';
import { exitWith } from '../invocation.ts';
import { linksOf } from '../links.ts';
import { type Answering, print } from '../print.ts';
import { withProgress } from '../progress.ts';
import { type ItemFile, openItemFile } from './file.ts';

/** Items per transaction. */
const pageSize = 5_000;

const resultColumns = ['index', 'id', 'status', 'errors', 'qr_string', 'image_url'];

/** Formats an item's result as a row. Faults name the file's own columns. */
const resultRow = (
  { index, id, status, errors, qrString = '', imageUrl = '' }: ImportedRow,
  headings: ReadonlyMap<string, string>,
) => {
  const faultText = ({ field, message }: ImportedRow['errors'][number]): string =>
    field === undefined ? message : `${headings.get(field) ?? field}: ${message}`;
  const faults = errors.map(faultText).join(' ');
  return { index, id: id ?? '', status, errors: faults, qr_string: qrString, image_url: imageUrl };
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
async function newResultFile(file: string): Promise<{ path: string; result: TableFile }> {
  for (let no = 1; ; no += 1) {
    const path = `${file}.result${no === 1 ? '' : `-${no}`}.csv`;
    try {
      return { path, result: await createTable(path, resultColumns, 'wx') };
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }
}

/** Imports page by page, and records each item's result as soon as it is known. */
async function importPages(
  { total, headings, pages }: ItemFile,
  importPage: (items: unknown[], from: number) => Promise<ImportedRow[]>,
  result: TableFile,
): Promise<{ total: number; created: number; rejected: number }> {
  workExpected(total);
  let done = 0;
  let created = 0;
  for await (const items of pages(pageSize)) {
    const rows = await importPage(items, done);
    for (const row of rows) await result.row(resultRow(row, headings));
    await result.flush();
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
