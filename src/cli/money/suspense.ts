import type { Command } from 'commander';
import { createMoneyWing } from '../../composition/money.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  assignSuspense,
  listSuspense,
  returnSuspense,
  type SuspenseRow,
} from '../../money/suspense/index.ts';
import { idIn, type PageOptions, paged, reasonIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';

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

  suspense
    .command('assign')
    .description('record it as a payment of a request, on the day on which it was paid')
    .argument('<id>', 'the number that `suspense list` shows', idIn)
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--request <id>', 'the request that it was meant for', idIn)
    .requiredOption('--reason <text>', 'how you know', reasonIn)
    .action(
      (id: number, options: Answering & { account: string; request: number; reason: string }) =>
        withBase('suspense assign', async ({ base, sql, actor }) => {
          const { account: accountId, request, reason: note } = options;
          await mustExist(sql, accountId);
          const assign = assignSuspense(base, createMoneyWing(base).prepareFacts);
          const to = { accountId, id: request };
          const outcome = await assign({ id, to, note, actor });
          const done = outcome === 'assigned' ? 'is' : 'was before';
          print(
            `the money ${id} ${done} a payment of request ${request} of account ${accountId}`,
            { id, outcome, account: accountId, request },
            options,
          );
        }),
    );

  suspense
    .command('return')
    .description('record that it was given back to whoever paid it')
    .argument('<id>', 'the number that `suspense list` shows', idIn)
    .requiredOption('--reason <text>', 'how it was given back', reasonIn)
    .action((id: number, { reason: note, json = false }: Answering & { reason: string }) =>
      withBase('suspense return', async ({ base, actor }) => {
        const outcome = await returnSuspense(base)({ id, note, actor });
        const done = outcome === 'returned' ? 'is returned' : 'was returned before';
        print(`the money ${id} ${done}`, { id, outcome }, { json });
      }),
    );
}
