import { open } from 'node:fs/promises';
import { type Account, readAccount } from '../../accounts/index.ts';
import { offerFor, qrTermsOf } from '../../parts.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { type ImportedRow, importRows } from '../../qr/index.ts';
import type { BaseContext } from '../command.ts';
import { csvLine } from '../csv.ts';
import { linksOf } from '../links.ts';
import { print } from '../print.ts';
import { progressBar } from '../progress.ts';
import { type ItemFile, openItemFile } from './file.ts';

/** Items that are created in one transaction. */
const pageSize = 5_000;

const resultColumns = ['index', 'id', 'status', 'errors', 'qr_string', 'image_url'];

const resultLine = ({ index, id, status, errors, qrString, imageUrl }: ImportedRow): string =>
  csvLine([
    index,
    id ?? '',
    status,
    errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' '),
    qrString ?? '',
    imageUrl ?? '',
  ]);

/** The account of a command, or a sentence. */
export async function accountOf(sql: Sql, id: string): Promise<Account> {
  const account = await readAccount(sql, id);
  if (!account) throw new Error('there is no such account');
  return account;
}

export interface ImportOptions {
  account: string;
  json?: boolean;
}

/** Imports page by page, and writes down what became of each item as soon as it is known. */
async function importPages(
  { total, pages }: ItemFile,
  importPage: (items: unknown[], from: number) => Promise<ImportedRow[]>,
  resultFile: string,
): Promise<{ total: number; created: number; rejected: number }> {
  const result = await open(resultFile, 'w');
  const bar = progressBar(total);
  let done = 0;
  let created = 0;
  try {
    await result.appendFile(csvLine(resultColumns));
    for await (const items of pages(pageSize)) {
      const rows = await importPage(items, done);
      await result.appendFile(rows.map(resultLine).join(''));
      done += rows.length;
      created += rows.filter(({ status }) => status === 'created').length;
      bar.show(done);
    }
  } finally {
    bar.end();
    await result.close();
  }
  return { total: done, created, rejected: done - created };
}

/** Imports a file of QRs; beside it a result file tells what became of each item. */
export async function importFile(
  context: BaseContext,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { base, sql, config } = context;
  const account = await accountOf(sql, options.account);
  const importTo = importRows(base, {
    links: await linksOf(context),
    terms: qrTermsOf(config, offerFor(config, base)),
  });
  const resultFile = `${file}.result.csv`;
  const counts = await importPages(
    await openItemFile(file),
    (items, from) => importTo(account, { items, from }),
    resultFile,
  );
  const { created, rejected } = counts;
  if (options.json) print(JSON.stringify({ ...counts, result_file: resultFile }));
  else print(`${created} created, ${rejected} rejected; ${resultFile} tells of each`);
  if (rejected > 0) process.exitCode = 1;
}
