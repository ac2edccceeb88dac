import { createDebitBooks } from '../../composition/debits.ts';
import { configuredVault } from '../../composition/keys.ts';
import { debitIdentityOf } from '../../composition/offer.ts';
import type { Config } from '../../config/index.ts';
import { formatDay } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  type DebitBooks,
  type DebitExportOrder,
  type DebitImportOrder,
  type DebitRailTerms,
  type DebitSummary,
  exportDebits,
  importDebits,
  type LeftOut,
  type RailFile,
  rejectWaiting,
  type WaitingDebit,
  waitingDebits,
} from '../../rails/index.ts';
import type { BaseContext } from '../command.ts';
import { invocation } from '../invocation.ts';
import { type Answering, print, printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';
import type { Imported } from './import-folder.ts';

const termsOf = (config: Config, today: Temporal.PlainDate): DebitRailTerms => ({
  ...debitIdentityOf(config),
  today,
});

const booksOf = async ({ config, base }: BaseContext): Promise<DebitBooks> =>
  createDebitBooks(base, await configuredVault(config), config);

const counted = (count: number, total: DebitSummary['total']): string =>
  `${count}, ${decimalText(total)}`;

const summaryLines = (summary: DebitSummary): string[] =>
  [
    ['lines', counted(summary.lines, summary.total)],
    ['paid', counted(summary.paid, summary.paid_total)],
    ['  amount differs', summary.amount_differs],
    ['rejected', summary.rejected],
    ['  to be retried', summary.retried],
    ['still in process', summary.in_process],
    ...Object.entries(summary.codes).map(([code, lines]) => [`  code ${code}`, lines]),
    ['reversed', summary.reversed],
    ['mandates closed', summary.mandates_closed],
    ['instruments changed', summary.instruments_changed],
    ['  unusable', summary.unusable_instrument],
    ['reported before', summary.told_before],
    ['contradictions', summary.contradicts],
    ['unclear', summary.unclear],
    ['unknown reference', summary.unknown_reference],
    ['unknown mandate', summary.unknown_mandate],
    ['nothing to reverse', summary.not_paid],
    ['notices', summary.notices],
    ['suspense', counted(summary.suspense, summary.suspense_total)],
  ].map(([label, text]) => `${String(label).padEnd(21)}${text}`);

function printJson(outcome: string, id: number, summary: DebitSummary): void {
  const { total, paid_total, suspense_total, ...counts } = summary;
  const sums = {
    total: decimalText(total),
    paid_total: decimalText(paid_total),
    suspense_total: decimalText(suspense_total),
  };
  print([], { outcome, id, ...counts, ...sums }, { json: true });
}

export async function importDebitFile(
  context: BaseContext,
  order: DebitImportOrder,
  { json, quiet = false }: { json: boolean; quiet?: boolean },
): Promise<Imported> {
  const terms = termsOf(context.config, context.clocks.business.today());
  const books = await booksOf(context);
  const { outcome, file, summary } = await withProgress({ json: json || quiet }, () =>
    importDebits(books, order, terms),
  );
  const imported = { outcome, file: file.id, lines: summary.lines };
  if (quiet) return imported;
  if (json) {
    printJson(outcome, file.id, summary);
    return imported;
  }
  const known = `this file was already imported as ${file.id}; nothing changed`;
  say([outcome === 'known' ? known : `file ${file.id} is imported`, ...summaryLines(summary)]);
  return imported;
}

const inClear =
  'warning: the file contains unencrypted card numbers, readable only by its owner. --encrypt-to ' +
  "encrypts it for the recipient's certificate; after sending, `recaudo rails shred` removes it.";

/** Encrypts for a certificate. Loads the code for certificates and CMS only when needed. */
async function envelopeFor(certificate: string, now: Temporal.Instant) {
  const { createEnvelope } = await import('../../platform/envelope.ts');
  return await createEnvelope(certificate, now);
}

export const exportedFile = (file: RailFile) => ({
  id: file.id,
  name: file.name,
  lines: file.lines,
  total: decimalText(file.total),
});

export const leftOutText = ({ accountId, requestId, reason }: LeftOut): string =>
  `left out: request ${requestId} of account ${accountId}: ${reason}`;

export const leftOutData = ({ accountId, requestId, reason }: LeftOut) => ({
  account: accountId,
  request: requestId,
  reason,
});

export async function exportDebitFile(
  { config, base, clocks }: BaseContext,
  order: DebitExportOrder,
  { encryptTo = null, json = false }: Answering & { encryptTo?: string | null },
): Promise<void> {
  const vault = await configuredVault(config);
  const terms = termsOf(config, clocks.business.today());
  const envelope = encryptTo === null ? null : await envelopeFor(encryptTo, clocks.wall.now());
  const { outcome, files, leftOut } = await withProgress({ json }, () =>
    exportDebits({ base, vault, envelope }, order, terms),
  );
  const nothing = 'no debit is waiting for this file, so none was written';
  const again = outcome === 'again' ? ', unchanged from the first export' : '';
  const text = [
    ...(outcome === 'nothing' ? [nothing] : []),
    ...files.flatMap(({ file, path }) => [
      path,
      `${file.lines} debits, ${decimalText(file.total)}${again}`,
    ]),
    ...leftOut.map(leftOutText),
    ...(envelope && files.length > 0 ? [`encrypted for ${envelope.subject}`] : []),
  ];
  const data = {
    rail: order.rail.name,
    outcome,
    files: files.map(({ file, path }) => ({ ...exportedFile(file), paths: [path] })),
    left_out: leftOut.map(leftOutData),
    encrypted_for: envelope?.subject ?? null,
  };
  print(text, data, { json });
  const hasNumbers = order.rail.kind === 'card_debit_request' && files.length > 0;
  if (hasNumbers && !envelope) invocation().stderr.write(`${inClear}\n`);
}

const waitingData = (one: WaitingDebit) => ({
  request: one.requestId,
  account: one.accountId,
  run: one.no,
  on: formatDay(one.runOn),
  amount: decimalText(one.amount),
  rails: one.rails.join(','),
  reason: one.reason === null ? null : String(one.reason),
});

/** Lists debits that wait for export. With `stuck`, only those that no file accepts. */
export async function listWaiting(
  { config, base, clocks }: BaseContext,
  { stuck, json }: { stuck: boolean; json: boolean },
): Promise<void> {
  const vault = await configuredVault(config);
  const terms = termsOf(config, clocks.business.today());
  const listed: WaitingDebit[] = [];
  for await (const one of waitingDebits({ base, vault }, terms)) {
    if (!stuck || one.reason !== null) listed.push(one);
  }
  printRows(listed.map(waitingData), { json });
}

/** Rejects a debit that no file accepts. */
export async function rejectDebit(
  context: BaseContext,
  { requestId, reason }: { requestId: number; reason: string },
  options: Answering,
): Promise<void> {
  const { base, settle } = await booksOf(context);
  await rejectWaiting({ base, settle }, { requestId, reason, actor: context.actor });
  const rejected = { request: requestId, state: 'rejected', reason };
  print(`debit ${requestId} is rejected: ${reason}`, rejected, options);
}
