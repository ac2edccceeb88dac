import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { type Account, listAccounts } from '../../accounts/index.ts';
import { createFourEyes } from '../../composition/four-eyes.ts';
import { decimalText } from '../../kernel/money.ts';
import { makePayoutFile, payoutFilesOf, writtenPayoutFile } from '../../money/payouts/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import { referenceIn } from '../arguments.ts';
import { type BaseContext, withBase } from '../command.ts';
import { print, printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';
import { operatorNamed, operatorOption } from './operator.ts';

interface RunOptions {
  reference: string;
  out: string;
  operator?: string;
  json?: boolean;
}

/**
 * Puts what stands in no file into one, and writes the files of the reference that the folder has
 * not: a payout stands in one file, whoever makes it, and none is written over.
 */
async function writeTransfers(
  { sql, base, actor }: BaseContext,
  { reference, out }: RunOptions,
): Promise<{ file: string; payouts: number } | null> {
  await makePayoutFile(base)({ reference, actor });
  const there = new Set(await readdir(out));
  const written: { file: string; payouts: number }[] = [];
  for (const { id, payouts } of await payoutFilesOf(sql, reference)) {
    const { name, text } = await writtenPayoutFile(sql, id);
    if (there.has(name)) continue;
    const file = path.join(out, name);
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    written.push({ file, payouts });
  }
  const last = written.at(-1);
  const all = written.reduce((sum, { payouts }) => sum + payouts, 0);
  return last ? { file: last.file, payouts: all } : null;
}

/** Pays every account out; what keeps one from it is told in its row. */
async function sendAll(
  { base, config, actor }: BaseContext,
  accounts: Account[],
  { reference, operator }: RunOptions,
) {
  const by = await operatorNamed(base, operator);
  const { orderPayout } = createFourEyes(base, config);
  const rows = [];
  workExpected(accounts.length);
  for (const { id: accountId } of accounts) {
    const row = { account: accountId, outcome: 'skipped', amount: '', cbu: '', reason: '' };
    try {
      const ordered = await orderPayout({ accountId, amount: null, reference, by, actor });
      const { outcome } = ordered;
      if (ordered.outcome === 'proposed') {
        rows.push({ ...row, outcome, amount: decimalText(ordered.proposal.amount) });
      } else {
        const { amount, cbu } = ordered.payout;
        rows.push({ ...row, outcome, amount: decimalText(amount), cbu });
      }
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
  const rows = await withProgress(options, () => sendAll(context, accounts, options));
  const written = await writeTransfers(context, options);
  if (options.json) {
    print([], { payouts: rows, file: written?.file ?? null }, options);
    return;
  }
  printRows(rows, {});
  say(
    written
      ? `${written.payouts} transfers in ${written.file}`
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
    .option(...operatorOption)
    .option('--json', 'as JSON')
    .action((options: RunOptions) => withBase('payouts run', (context) => run(context, options)));
}
