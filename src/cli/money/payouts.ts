import type { Command } from 'commander';
import { createFourEyes } from '../../composition/four-eyes.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';
import { listPayouts, returnPayout } from '../../money/payouts/index.ts';
import { payoutApproving, payoutRejecting } from '../../money/proposals/index.ts';
import {
  idIn,
  type PageOptions,
  paged,
  payoutAmountIn,
  reasonIn,
  referenceIn,
} from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';
import { operatorNamed, operatorOption } from './operator.ts';
import { runCommand } from './payout-run.ts';
import { proposalCommands } from './proposals.ts';

interface CreateOptions extends Answering {
  account: string;
  amount?: Centavos;
  all?: boolean;
  operator?: string;
  reference: string;
}

interface ReturnOptions extends Answering {
  account: string;
  reason: string;
  bankAnswered?: boolean;
}

/** Orders a payout, which one operator sends or two. */
const create = (options: CreateOptions): Promise<void> =>
  withBase('payouts create', async ({ base, config, actor }) => {
    const { account: accountId, amount = null, reference } = options;
    const by = await operatorNamed(base, options.operator);
    const wanted = { accountId, amount, reference, by, actor };
    const ordered = await createFourEyes(base, config).orderPayout(wanted);
    if (ordered.outcome === 'proposed') {
      const { id, amount: proposed } = ordered.proposal;
      print(
        `payout ${reference} of ${decimalText(proposed)} waits for another operator: proposal ${id}`,
        {
          id,
          outcome: ordered.outcome,
          account: accountId,
          reference,
          amount: decimalText(proposed),
        },
        options,
      );
      return;
    }
    const { outcome, payout } = ordered;
    const done = outcome === 'sent' ? 'is paid out' : 'was paid out before';
    const sent = decimalText(payout.amount);
    print(
      `payout ${payout.id}: ${sent} to CBU ${payout.cbu} ${done}`,
      { id: payout.id, outcome, account: accountId, reference, amount: sent, cbu: payout.cbu },
      options,
    );
  });

export function payoutCommands(payouts: Command): void {
  payouts
    .command('create')
    .description('pay available money out to the CBU of the account; the same reference pays once')
    .requiredOption('--account <id>', 'the account')
    .option('--amount <amount>', 'in pesos', payoutAmountIn)
    .option('--all', 'all that is available')
    .requiredOption('--reference <text>', 'your name for this payout', referenceIn)
    .option(...operatorOption)
    .action((options: CreateOptions, command: Command) => {
      if ((options.amount === undefined) === (options.all === undefined)) {
        command.error('error: give --amount or --all');
      }
      return create(options);
    });

  runCommand(payouts);

  proposalCommands(payouts, {
    kind: 'payout',
    approving: payoutApproving,
    rejecting: payoutRejecting,
    approve: (fourEyes, decision) => fourEyes.approvePayout(decision),
  });

  paged(payouts.command('list'))
    .description('list the payouts of an account, oldest first')
    .requiredOption('--account <id>', 'the account')
    .action((options: PageOptions & { account: string }) =>
      withBase('payouts list', async ({ sql }) => {
        await mustExist(sql, options.account);
        const rows = await listPayouts(sql, options.account, options);
        printRows(
          rows.map((row) => ({
            id: row.id,
            reference: row.reference,
            state: row.state,
            amount: decimalText(row.amount),
            cbu: row.cbu,
            sent_at: isoDateTime(row.sent_at),
            returned_at: row.returned_at && isoDateTime(row.returned_at),
            return_reason: row.return_reason,
          })),
          options,
        );
      }),
    );

  payouts
    .command('return')
    .description('a payout came back, or does not go: the money is available again')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--reason <text>', 'why it came back', reasonIn)
    .option(
      '--bank-answered',
      'of one in a file that was taken: the bank refused it or sent it back',
    )
    .argument('<id>', 'the number that `payouts list` shows', idIn)
    .action((id: number, options: ReturnOptions) =>
      withBase('payouts return', async ({ base, sql, actor }) => {
        const { account: accountId, reason, bankAnswered = false } = options;
        await mustExist(sql, accountId);
        const outcome = await returnPayout(base)({ accountId, id, reason, bankAnswered, actor });
        const done = outcome === 'returned' ? 'is returned' : 'was returned before';
        print(`payout ${id} ${done}`, { id, outcome, account: accountId }, options);
      }),
    );
}
