import type { Command } from 'commander';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { endRefund, readTransfers } from '../../money/refunds/index.ts';
import { idIn, reasonIn, referenceIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';

interface EndOptions extends Answering {
  account: string;
  comment: string;
}

const mostListed = 10_000;

export function refundCommands(program: Command): void {
  const refunds = program
    .command('refunds')
    .description('money on its way back to payers, by a transfer of yours');

  const end = (
    id: number,
    state: 'done' | 'failed',
    { account, comment, json = false }: EndOptions,
  ) =>
    withBase(`refunds ${state}`, async ({ base, sql, actor }) => {
      await mustExist(sql, account);
      const outcome = await endRefund(base)({ accountId: account, id, state, comment, actor });
      const said = outcome === 'ended' ? 'is' : 'was before';
      print(`refund ${id} ${said} ${state}`, { refund: id, state, outcome }, { json });
    });

  refunds
    .command('list')
    .description('list the transfers that you have to make: the channel cannot give the money back')
    .option('--account <id>', 'of this account alone')
    .action((options: Answering & { account?: string }) =>
      withBase('refunds list', async ({ sql }) => {
        if (options.account !== undefined) await mustExist(sql, options.account);
        const rows = await readTransfers(sql, options.account ?? null, mostListed);
        printRows(
          rows.map((row) => ({
            id: row.id,
            account: row.account_id,
            request: row.request_id,
            amount: decimalText(row.amount),
            cbu: row.cbu,
            requested_at: isoDateTime(row.requested_at),
          })),
          options,
        );
      }),
    );

  refunds
    .command('done')
    .description('you transferred it: the payment went back')
    .argument('<id>', 'the number that `refunds list` shows', idIn)
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--reference <text>', "the bank's reference of the transfer", referenceIn)
    .action((id: number, options: Answering & { account: string; reference: string }) =>
      end(id, 'done', { ...options, comment: options.reference }),
    );

  refunds
    .command('fail')
    .description('it cannot be transferred: the money stays with the account holder')
    .argument('<id>', 'the number that `refunds list` shows', idIn)
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--reason <text>', 'why', reasonIn)
    .action((id: number, options: Answering & { account: string; reason: string }) =>
      end(id, 'failed', { ...options, comment: options.reason }),
    );
}
