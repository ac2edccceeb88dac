import type { Command } from 'commander';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { type DisputeRow, listDisputes } from '../../money/disputes/index.ts';
import { type PageOptions, paged } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { printRows } from '../print.ts';

const listed = (row: DisputeRow) => ({
  id: row.id,
  account: row.account_id,
  request: row.request_id,
  attempt: row.attempt_id,
  connector: row.connector,
  name: row.name,
  state: row.state,
  amount: decimalText(row.amount),
  taken: decimalText(row.taken),
  evidence_due_at: row.evidence_due_at && isoDateTime(row.evidence_due_at),
  reason: row.reason,
  opened_at: isoDateTime(row.opened_at),
  changed_at: isoDateTime(row.changed_at),
});

export function disputeCommands(disputes: Command): void {
  paged(disputes.command('list'))
    .description('list undecided disputes with the deadline for evidence, oldest first')
    .option('--account <id>', 'only of this account')
    .option('--all', 'also those that were decided')
    .action((options: PageOptions & { account?: string; all?: boolean }) =>
      withBase('disputes list', async ({ sql }) => {
        const { account, all = false, after, limit } = options;
        if (account !== undefined) await mustExist(sql, account);
        const page = { accountId: account ?? null, all, after, limit };
        printRows((await listDisputes(sql, page)).map(listed), options);
      }),
    );
}
