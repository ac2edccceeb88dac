// Longer than 300 lines: the commands of one noun, for files in both directions.
import { stat } from 'node:fs/promises';
import { Argument, type Command, Option } from 'commander';
import { createMoneyWing } from '../../composition/money.ts';
import { offerFor } from '../../composition/offer.ts';
import type { Config } from '../../config.ts';
import { formatDay, isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Offer } from '../../money/channels/index.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import {
  debitRemarks,
  exportFile,
  type ImportOutcome,
  type ImportSummary,
  importFile,
  inboundDebits,
  inboundRails,
  isPart,
  listFiles,
  outboundDebits,
  outboundRails,
  type RailFile,
  type RailLine,
  type RailTerms,
  remarks,
  showFile,
  shredFile,
  shredPart,
} from '../../rails/index.ts';
import { dayIn, idIn, reasonIn } from '../arguments.ts';
import { type BaseContext, withBase } from '../command.ts';
import { type Answering, print, printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';
import {
  exportDebitFile,
  exportedFile,
  importDebitFile,
  leftOutText,
  listWaiting,
  rejectDebit,
  shownLeftOut,
} from './debits.ts';
import { type Imported, importFolder } from './import-folder.ts';

const filesListed = 100;
const linesShown = 1_000;
const termsOf = (config: Config, offer: Offer, today: Temporal.PlainDate): RailTerms => ({
  pagoFacilClient: config.PAGO_FACIL_CLIENT,
  rapipagoCompany: config.RAPIPAGO_COMPANY,
  pmcCompany: config.PMC_COMPANY,
  linkEntity: config.LINK_ENTITY,
  takesCash: offer.non_banking !== null,
  today,
});

const namedIn = <R extends { name: string }>(rails: readonly R[], name: string): R => {
  const rail = rails.find((one) => one.name === name);
  if (!rail) throw new Error(`there is no rail ${name}`);
  return rail;
};

const railArgument = (rails: readonly { name: string; title: string }[]): Argument =>
  new Argument('<rail>', rails.map(({ name, title }) => `${name}: ${title}`).join('; ')).choices(
    rails.map(({ name }) => name),
  );

const listedFile = (file: RailFile) => ({
  id: file.id,
  rail: file.rail,
  direction: file.direction,
  date: formatDay(file.file_date),
  name: file.name,
  state: file.state,
  lines: file.lines,
  total: decimalText(file.total),
  suspense: file.summary?.suspense ?? null,
  created_at: isoDateTime(file.created_at),
});

const listedLine = (line: RailLine) => ({
  line: line.line,
  outcome: line.outcome,
  remarks: line.remarks.join(','),
  account: line.account_id,
  request: line.request_id,
  code: line.code,
  amount: decimalText(line.amount),
  paid_at: isoDateTime(line.paid_at),
  reason: [line.reject_code, line.note].filter((one) => one !== null).join(': ') || null,
});

const summaryLines = (summary: ImportSummary): string[] =>
  [
    ['payments', `${summary.lines}, ${decimalText(summary.total)}`],
    ['collected', `${summary.collected}, ${decimalText(summary.collected_total)}`],
    ['  late', summary.late],
    ['  duplicate', summary.duplicate],
    ['  amount differs', summary.amount_differs],
    ['suspense', `${summary.suspense}, ${decimalText(summary.suspense_total)}`],
    ['  unreadable code', summary.unreadable_code],
    ['  unknown request', summary.unknown_request],
  ].map(([label, text]) => `${String(label).padEnd(18)}${text}`);

function printOutcome({ outcome, file, summary }: ImportOutcome, json: boolean): void {
  if (json) {
    const { total, collected_total, suspense_total, ...counts } = summary;
    const sums = {
      total: decimalText(total),
      collected_total: decimalText(collected_total),
      suspense_total: decimalText(suspense_total),
    };
    print([], { outcome, id: file.id, ...counts, ...sums }, { json });
    return;
  }
  const known = `this file was imported before, as ${file.id}; nothing was changed`;
  say([outcome === 'known' ? known : `file ${file.id} is imported`, ...summaryLines(summary)]);
}

interface ImportOptions {
  sameDay?: boolean;
  json?: boolean;
}

async function importCommand(
  context: BaseContext,
  { name, file }: { name: string; file: string },
  options: ImportOptions,
): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) {
    const quiet = { ...options, quiet: true };
    await importFolder(file, (one) => importOne(context, { name, file: one }, quiet), options);
    return;
  }
  if (!found?.isFile()) throw new Error(`There is no file ${file} that can be read.`);
  await importOne(context, { name, file }, options);
}

async function importOne(
  context: BaseContext,
  { name, file }: { name: string; file: string },
  options: ImportOptions & { quiet?: boolean },
): Promise<Imported> {
  const { quiet = false } = options;
  const sameDay = options.sameDay ?? false;
  const json = options.json ?? false;
  const debits = inboundDebits.find((rail) => rail.name === name);
  if (debits) {
    return await importDebitFile(context, { rail: debits, file, sameDay }, { json, quiet });
  }
  const { config, base, clocks } = context;
  const { recordFacts: record, suspend } = createMoneyWing(base);
  const parts = { base, record, suspend };
  const rail = namedIn(inboundRails, name);
  const terms = termsOf(config, offerFor(config, base), clocks.business.today());
  const imported = await withProgress({ json: json || quiet }, () =>
    importFile(parts, { rail, file, sameDay }, terms),
  );
  if (!quiet) printOutcome(imported, json);
  return { outcome: imported.outcome, file: imported.file.id, lines: imported.summary.lines };
}

interface ExportOptions extends Answering {
  date?: Temporal.PlainDate;
  out: string;
  another?: boolean;
  encryptTo?: string;
}

async function exportCommand(
  context: BaseContext,
  name: string,
  options: ExportOptions,
): Promise<void> {
  const { config, base, clocks } = context;
  const today = clocks.business.today();
  const found = await stat(options.out).catch(() => null);
  if (!found?.isDirectory()) throw new Error(`There is no directory ${options.out}.`);
  const to = { date: options.date ?? today, directory: options.out };
  const debits = outboundDebits.find((one) => one.name === name);
  if (debits) {
    const order = { rail: debits, ...to, another: options.another ?? false };
    await exportDebitFile(context, order, options);
    return;
  }
  if (options.encryptTo !== undefined) throw new Error('Only files of debits are encrypted.');
  const rail = namedIn(outboundRails, name);
  const terms = termsOf(config, offerFor(config, base), today);
  const { files, leftOut } = await withProgress(options, () =>
    exportFile(base, { rail, ...to }, terms),
  );
  const text = files.flatMap(({ file, written }) => [
    ...written,
    `${file.lines} payment requests, ${decimalText(file.total)}`,
  ]);
  const shown = files.map(({ file, written }) => ({ ...exportedFile(file), paths: written }));
  print(
    [...text, ...leftOut.map(leftOutText)],
    { rail: rail.name, files: shown, left_out: leftOut.map(shownLeftOut) },
    options,
  );
}

interface ShowOptions {
  remark?: (typeof remarks)[number] | (typeof debitRemarks)[number];
  after: number;
  json?: boolean;
}

function waitingCommands(rails: Command): void {
  rails
    .command('waiting')
    .description('list the debits that wait to go out in a file, and why no file takes one')
    .option('--stuck', 'only those that no file takes')
    .option('--json', 'as JSON')
    .action((options: { stuck?: boolean; json?: boolean }) =>
      withBase('rails waiting', (context) =>
        listWaiting(context, { stuck: options.stuck ?? false, json: options.json ?? false }),
      ),
    );

  rails
    .command('reject')
    .description('reject a debit that waits and that no file takes')
    .argument('<request>', 'the number that `rails waiting` shows', idIn)
    .requiredOption('--reason <text>', 'shown to the account holder', reasonIn)
    .action((requestId: number, { reason, json = false }: Answering & { reason: string }) =>
      withBase('rails reject', (context) => rejectDebit(context, { requestId, reason }, { json })),
    );
}

async function shred(sql: Sql, file: string): Promise<{ file: string; id: number | null }> {
  if (isPart(file)) {
    await shredPart(sql, file);
    return { file, id: null };
  }
  const { id } = await shredFile(sql, file);
  return { file, id };
}

/** Tells what is gone also when one of the files cannot be removed. */
async function shredAll(sql: Sql, files: string[], options: Answering): Promise<void> {
  const gone: Awaited<ReturnType<typeof shred>>[] = [];
  try {
    for (const file of files) gone.push(await shred(sql, file));
  } finally {
    const text = gone.map(({ file, id }) => {
      const what = id === null ? 'which an export that broke off left' : `file ${id}`;
      return `${file}, ${what}, is overwritten and removed`;
    });
    if (gone.length > 0) print(text, { shredded: gone }, options);
  }
}

function listingCommands(rails: Command): void {
  rails
    .command('list')
    .description(`list the last ${filesListed} files that came in or went out`)
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('rails list', async ({ sql }) => {
        printRows((await listFiles(sql, filesListed)).map(listedFile), options);
      }),
    );

  rails
    .command('show')
    .description(`list lines of a file that need a look, at most ${linesShown}`)
    .argument('<id>', 'the number that `rails list` shows', idIn)
    .option('--after <line>', 'those behind a line', idIn, 0)
    .addOption(
      new Option('--remark <remark>', 'only these').choices([
        ...new Set([...remarks, ...debitRemarks]),
      ]),
    )
    .option('--json', 'as JSON')
    .action((fileId: number, options: ShowOptions) =>
      withBase('rails show', async ({ sql }) => {
        const { remark = null, after } = options;
        const query = { fileId, remark, after, limit: linesShown };
        printRows((await showFile(sql, query)).map(listedLine), options);
      }),
    );
}

export function railCommands(program: Command): void {
  const rails = program
    .command('rails')
    .description('files of networks, banks and card processors');

  rails
    .command('import')
    .description('carry out what a file tells, each line once; a wrong file changes nothing')
    .addArgument(railArgument([...inboundRails, ...inboundDebits]))
    .argument('<file>', 'the file as the network sent it, or a folder of them')
    .option('--same-day', 'take it although another file of its day was imported')
    .option('--json', 'as JSON')
    .action((name: string, file: string, options: ImportOptions) =>
      withBase('rails import', (context) => importCommand(context, { name, file }, options)),
    );

  rails
    .command('export')
    .description('write the file that publishes what can be paid, or puts debits to a bank')
    .addArgument(railArgument([...outboundRails, ...outboundDebits]))
    .option('--date <day>', 'dd-mm-yyyy, of the file; today unless told', dayIn)
    .option('--out <directory>', 'where to write it', '.')
    .option('--encrypt-to <certificate>', 'of debits: encrypt it (CMS) for this X.509 certificate')
    .option('--another', 'of debits: those that wait, although a file of this day went out')
    .action((name: string, options: ExportOptions) =>
      withBase('rails export', (context) => exportCommand(context, name, options)),
    );

  rails
    .command('shred')
    .description(
      'overwrite and remove files that were exported or imported here, or left by an export that broke off',
    )
    .argument('<file...>', 'the files')
    .action((files: string[], options: Answering) =>
      withBase('rails shred', ({ sql }) => shredAll(sql, files, options)),
    );

  listingCommands(rails);
  waitingCommands(rails);
}
