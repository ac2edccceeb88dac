import { stat } from 'node:fs/promises';
import { Argument } from 'commander';
import { createMoneyWing } from '../../composition/money.ts';
import { offerFor } from '../../composition/offer.ts';
import { railTermsOf } from '../../composition/rail-desk.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  exportFile,
  type ImportOutcome,
  type ImportSummary,
  importFile,
  inboundDebits,
  inboundRails,
  outboundDebits,
  outboundRails,
} from '../../rails/index.ts';
import type { BaseContext } from '../command.ts';
import { mustTakeFiles } from '../directory.ts';
import { type Answering, print, say } from '../print.ts';
import { withProgress } from '../progress.ts';
import {
  exportDebitFile,
  exportedFile,
  importDebitFile,
  leftOutData,
  leftOutText,
} from './debits.ts';
import { type Imported, importFolder } from './import-folder.ts';

const namedIn = <R extends { name: string }>(rails: readonly R[], name: string): R => {
  const rail = rails.find((one) => one.name === name);
  if (!rail) throw new Error(`there is no rail ${name}`);
  return rail;
};

export const railArgument = (rails: readonly { name: string; title: string }[]): Argument =>
  new Argument('<rail>', rails.map(({ name, title }) => `${name}: ${title}`).join('; ')).choices(
    rails.map(({ name }) => name),
  );

const summaryLines = (summary: ImportSummary): string[] =>
  [
    ['payments', `${summary.lines}, ${decimalText(summary.total)}`],
    ['collected', `${summary.collected}, ${decimalText(summary.collected_total)}`],
    ['  late', summary.late],
    ['  duplicate', summary.duplicate],
    ['  amount differs', summary.amount_differs],
    ['  control characters', summary.control_characters],
    ['suspense', `${summary.suspense}, ${decimalText(summary.suspense_total)}`],
    ['  unreadable code', summary.unreadable_code],
    ['  unknown request', summary.unknown_request],
  ].map(([label, text]) => `${String(label).padEnd(22)}${text}`);

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
  const known = `this file was already imported as ${file.id}; nothing changed`;
  say([outcome === 'known' ? known : `file ${file.id} is imported`, ...summaryLines(summary)]);
}

export interface ImportOptions {
  sameDay?: boolean;
  json?: boolean;
}

export async function importCommand(
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
  if (!found?.isFile()) throw new Error(`${file} is not a readable file.`);
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
    return await importDebitFile(
      context,
      { rail: debits, file, sameDay, actor: context.actor },
      { json, quiet },
    );
  }
  const { config, base, clocks } = context;
  const { recordFacts: record, suspend } = createMoneyWing(base);
  const parts = { base, record, suspend };
  const rail = namedIn(inboundRails, name);
  const terms = railTermsOf(config, offerFor(config), clocks.business.today());
  const imported = await withProgress({ json: json || quiet }, () =>
    importFile(parts, { rail, file, sameDay, actor: context.actor }, terms),
  );
  if (!quiet) printOutcome(imported, json);
  return { outcome: imported.outcome, file: imported.file.id, lines: imported.summary.lines };
}

export interface ExportOptions extends Answering {
  date?: Temporal.PlainDate;
  out: string;
  another?: boolean;
  encryptTo?: string;
}

export async function exportCommand(
  context: BaseContext,
  name: string,
  options: ExportOptions,
): Promise<void> {
  const { config, base, clocks, actor } = context;
  const today = clocks.business.today();
  await mustTakeFiles(options.out);
  const to = { date: options.date ?? today, directory: options.out, actor, takes: true };
  const debits = outboundDebits.find((one) => one.name === name);
  if (debits) {
    const order = { rail: debits, ...to, another: options.another ?? false };
    await exportDebitFile(context, order, options);
    return;
  }
  if (options.encryptTo !== undefined) throw new Error('Only debit files can be encrypted.');
  const rail = namedIn(outboundRails, name);
  const terms = railTermsOf(config, offerFor(config), today);
  const { files, leftOut } = await withProgress(options, () =>
    exportFile(base, { rail, ...to }, terms),
  );
  const text = files.flatMap(({ file, written }) => [
    ...written,
    `${file.lines} payment requests, ${decimalText(file.total)}`,
  ]);
  const fileData = files.map(({ file, written }) => ({ ...exportedFile(file), paths: written }));
  print(
    [...text, ...leftOut.map(leftOutText)],
    { rail: rail.name, files: fileData, left_out: leftOut.map(leftOutData) },
    options,
  );
}
