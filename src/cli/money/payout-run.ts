import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { type Account, listAccounts } from '../../accounts/index.ts';
import { csvLine } from '../../kernel/csv.ts';
import { decimalText } from '../../kernel/money.ts';
import { type PayoutRow, payoutsOf, sendPayout } from '../../money/payouts/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import { referenceIn } from '../arguments.ts';
import { type BaseContext, withBase } from '../command.ts';
import { print, printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';

interface RunOptions {
  reference: string;
  out: string;
  json?: boolean;
}

const columns = ['payout', 'reference', 'account', 'holder', 'cuit', 'cbu', 'amount'];

const lineOf = (payout: PayoutRow, holder: Account | undefined): string =>
  csvLine([
    payout.id,
    payout.reference,
    payout.account_id,
    holder?.name ?? '',
    holder?.cuit ?? '',
    payout.cbu,
    decimalText(payout.amount),
  ]);

/** A file's name for a reference, which may hold what names of files may not. */
const stemOf = (reference: string): string =>
  `payouts-${reference.replaceAll(/[^\p{L}\p{N}_-]/gu, '_')}`;

/** The payouts that stand in the files of a folder: none is put into two. */
async function filedIn(folder: string, stem: string): Promise<{ ids: Set<number>; files: number }> {
  const names = (await readdir(folder)).filter(
    (name) => name === `${stem}.csv` || (name.startsWith(`${stem}-`) && name.endsWith('.csv')),
  );
  const ids = new Set<number>();
  for (const name of names) {
    const text = await readFile(path.join(folder, name), 'utf8');
    for (const [, id] of text.matchAll(/^(\d+),/gm)) ids.add(Number(id));
  }
  return { ids, files: names.length };
}

/** Writes what no file has yet; null where there is nothing. Never over a file that is there. */
async function writeTransfers(
  { sql }: BaseContext,
  accounts: Account[],
  { reference, out }: RunOptions,
): Promise<{ file: string; payouts: PayoutRow[] } | null> {
  const ids = accounts.map((account) => account.id);
  const sent = await payoutsOf(sql, ids, reference);
  const stem = stemOf(reference);
  const filed = await filedIn(out, stem);
  const payouts = sent.filter(({ id, state }) => state === 'sent' && !filed.ids.has(id));
  if (payouts.length === 0) return null;
  const holders = new Map(accounts.map((account) => [account.id, account]));
  const lines = payouts.map((payout) => lineOf(payout, holders.get(payout.account_id)));
  const file = path.join(out, `${stem}${filed.files === 0 ? '' : `-${filed.files + 1}`}.csv`);
  const text = `${csvLine(columns)}${lines.join('')}`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  return { file, payouts };
}

/** Pays every account out; what keeps one from it is told in its row. */
async function sendAll({ base, actor }: BaseContext, accounts: Account[], reference: string) {
  const send = sendPayout(base);
  const rows = [];
  workExpected(accounts.length);
  for (const { id: accountId } of accounts) {
    const row = { account: accountId, outcome: 'skipped', amount: '', cbu: '', reason: '' };
    try {
      const { outcome, payout } = await send({ accountId, amount: null, reference, actor });
      rows.push({ ...row, outcome, amount: decimalText(payout.amount), cbu: payout.cbu });
    } catch (error) {
      // Nothing to pay, no CBU, suspended: that account's, not the others'.
      if (!(error instanceof Refusal)) throw error;
      rows.push({ ...row, reason: error.message });
    }
    workDone(1);
  }
  return rows;
}

async function run(context: BaseContext, options: RunOptions): Promise<void> {
  const accounts = await listAccounts(context.sql);
  const rows = await withProgress(options, () => sendAll(context, accounts, options.reference));
  const written = await writeTransfers(context, accounts, options);
  if (options.json) {
    print([], { payouts: rows, file: written?.file ?? null }, options);
    return;
  }
  printRows(rows, {});
  say(
    written
      ? `${written.payouts.length} transfers in ${written.file}`
      : 'nothing is left to transfer: no file is written',
  );
}

/** `payouts run`: all accounts, and the file of what the operator's bank has to transfer. */
export function runCommand(payouts: Command): void {
  payouts
    .command('run')
    .description('pay out all that is available to every account, and write the transfers as CSV')
    .requiredOption('--reference <text>', 'your name for this run; again it goes on', referenceIn)
    .option('--out <directory>', 'where to write the file', '.')
    .option('--json', 'as JSON')
    .action((options: RunOptions) => withBase('payouts run', (context) => run(context, options)));
}
