import type { Command } from 'commander';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { endRefund, readTransfers, refundDone, refundFailing } from '../../money/refunds/index.ts';
import { mustExist, withBase } from '../command.ts';
import { operationCommand } from '../operation.ts';
import { type Answering, printRows } from '../print.ts';

const mostListed = 10_000;

export function refundCommands(refunds: Command): void {
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

  operationCommand(refunds, refundDone, ({ base }) => endRefund(base));
  operationCommand(refunds, refundFailing, ({ base }) => endRefund(base));
}
