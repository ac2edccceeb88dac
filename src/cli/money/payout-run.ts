import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { accountIdsOf } from '../../accounts/operations.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';
import { referenceIn } from '../arguments.ts';
import { refusal } from '../codes.ts';
import { type BaseContext, withBase } from '../command.ts';
import { mustTakeFiles } from '../directory.ts';
import { print, printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';
import { operatorNamed, operatorOption } from './operator.ts';

interface RunOptions {
  reference: string;
  out: string;
  operator?: string;
  json?: boolean;
}

interface WrittenFile {
  file: string;
  payouts: number;
  total: Centavos;
  made_at: Temporal.Instant;
  /** True if an earlier run made it, so that the bank may already have it. */
  made_before: boolean;
}

async function readThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Moves payouts without a file into a new one, then writes those of the reference's files that the
 * folder lacks. A payout is in exactly one file. Never overwrites a file, because its transfers
 * would be lost: returns the files with other content under `others`.
 */
async function writeTransfers(
  { sql, base, actor }: BaseContext,
  { reference, out }: RunOptions,
): Promise<{ written: WrittenFile[]; others: string[] }> {
  const { handOverPayoutFile, makePayoutFile, payoutFilesOf, writtenPayoutFile } = await import(
    '../../money/payouts/index.ts'
  );
  const made = await makePayoutFile(base)({ reference, actor });
  const written: WrittenFile[] = [];
  const others: string[] = [];
  for (const { id, payouts, total, made_at } of await payoutFilesOf(sql, reference)) {
    const { name, text } = await writtenPayoutFile(sql, id);
    const file = path.join(out, name);
    const there = await readThere(file);
    if (there === null) {
      const taken = await handOverPayoutFile(base)({ id, actor });
      await writeFile(file, taken.text, { flag: 'wx', mode: 0o600 });
      written.push({ file, payouts, total, made_at, made_before: id !== made?.id });
    } else if (there !== text) {
      others.push(file);
    }
  }
  return { written, others };
}

const lineOf = ({ file, payouts, total, made_at, made_before }: WrittenFile): string => {
  const summary = `${payouts} transfers of ${decimalText(total)} in ${file}`;
  return made_before
    ? `${summary}, created earlier, at ${isoDateTime(made_at)}: check whether the bank already has it`
    : `${summary}, created at ${isoDateTime(made_at)}`;
};

async function sendAll(
  { base, config, actor }: BaseContext,
  accountIds: string[],
  { reference, operator }: RunOptions,
) {
  const by = await operatorNamed(base, operator);
  const [{ createFourEyes }, { orderSeveral }] = await Promise.all([
    import('../../composition/four-eyes.ts'),
    import('../../money/payouts/index.ts'),
  ]);
  const { orderPayout } = createFourEyes(base, config);
  const rows = await orderSeveral(accountIds, (accountId) =>
    orderPayout({ accountId, amount: null, reference, by, actor }),
  );
  return rows.map(({ account, outcome, amount, cbu, refusal: refused }) => ({
    account,
    outcome: refused === null ? outcome : 'skipped',
    amount: amount === null ? '' : decimalText(amount),
    cbu: cbu ?? '',
    reason: refused?.message ?? '',
  }));
}

async function run(context: BaseContext, options: RunOptions): Promise<void> {
  await mustTakeFiles(options.out);
  const accountIds = await accountIdsOf(context.sql, null);
  const rows = await withProgress(options, () => sendAll(context, accountIds, options));
  const { written, others } = await writeTransfers(context, options);
  if (options.json) {
    const made = written.find(({ made_before }) => !made_before);
    const files = written.map(({ total, made_at, ...file }) => ({
      ...file,
      total: decimalText(total),
      made_at: isoDateTime(made_at),
    }));
    print([], { payouts: rows, file: made?.file ?? null, files }, options);
  } else {
    printRows(rows, {});
    for (const one of written) say(lineOf(one));
    if (written.length + others.length === 0) {
      say('nothing is left to transfer, so no file was written');
    }
  }
  if (others.length > 0) {
    throw refusal('payout.files_differ', { files: others.join(', ') });
  }
}

/**
 * Adds `payouts run`, which pays out every account's available balance, and writes the transfers
 * for the operator's bank.
 */
export function runCommand(payouts: Command): void {
  payouts
    .command('run')
    .description(
      "record payouts of every account's available balance, and write their transfers as CSV for your bank",
    )
    .requiredOption(
      '--reference <text>',
      'your name for this run; repeat it to resume',
      referenceIn,
    )
    .option('--out <directory>', 'output folder', '.')
    .option(...operatorOption)
    .option('--json', 'as JSON')
    .action((options: RunOptions) => withBase('payouts run', (context) => run(context, options)));
}
