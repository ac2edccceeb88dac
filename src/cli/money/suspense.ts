import type { Command } from 'commander';
import { createMoneyWing } from '../../composition/money.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  assignSuspense,
  listSuspense,
  returnSuspense,
  type SuspenseRow,
  suspenseAssigning,
  suspenseReturning,
} from '../../money/suspense/index.ts';
import { type PageOptions, paged } from '../arguments.ts';
import { withBase } from '../command.ts';
import { operationCommand } from '../operation.ts';
import { printRows } from '../print.ts';

const listed = (row: SuspenseRow) => ({
  id: row.id,
  state: row.state,
  reason: row.reason,
  channel: row.channel_label,
  code: row.code,
  amount: decimalText(row.amount),
  paid_at: isoDateTime(row.paid_at),
  source: `${row.source} ${row.source_ref}`,
  informed_at: isoDateTime(row.informed_at),
  account: row.to_account_id,
  request: row.to_request_id,
  note: row.note,
});

export function suspenseCommands(program: Command): void {
  const suspense = program
    .command('suspense')
    .description('money that came in and belongs to no request that is known');

  paged(suspense.command('list'))
    .description('list what waits for a decision, oldest first')
    .option('--all', 'also what was resolved')
    .action((options: PageOptions & { all?: boolean }) =>
      withBase('suspense list', async ({ sql }) => {
        const { all = false, after, limit } = options;
        printRows((await listSuspense(sql, { all, after, limit })).map(listed), options);
      }),
    );

  operationCommand(suspense, suspenseAssigning, ({ base }) =>
    assignSuspense(base, createMoneyWing(base).prepareFacts),
  );
  operationCommand(suspense, suspenseReturning, ({ base }) => returnSuspense(base));
}
