import type { Command } from 'commander';
import { createFourEyes } from '../../composition/four-eyes.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';
import { listCorrections } from '../../money/corrections/index.ts';
import { type PageOptions, paged, reasonIn, referenceIn, signedAmountIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';
import { operatorNamed, operatorOption } from './operator.ts';
import { proposalCommands } from './proposals.ts';

interface CorrectOptions extends Answering {
  account: string;
  amount: Centavos;
  reference: string;
  note: string;
  operator?: string;
}

const saidOf = {
  posted: 'is posted',
  known: 'was posted before',
  proposed: 'waits for another operator, who approves it',
} as const;

export function ledgerCommands(program: Command): void {
  const ledger = program
    .command('ledger')
    .description('corrections of available balances, by hand');

  ledger
    .command('correct')
    .description('give to or take from the available balance of an account, with a note')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--amount <amount>', 'in pesos; negative to take', signedAmountIn)
    .requiredOption('--reference <text>', 'your name for it: the same one counts once', referenceIn)
    .requiredOption('--note <text>', 'why', reasonIn)
    .option(...operatorOption)
    .action((options: CorrectOptions) =>
      withBase('ledger correct', async ({ base, config, actor }) => {
        const { account: accountId, amount, reference, note } = options;
        const by = await operatorNamed(base, options.operator);
        const correction = { accountId, amount, reference, note, by, actor };
        const { outcome } = await createFourEyes(base, config).orderCorrection(correction);
        const done = saidOf[outcome];
        print(
          `the correction ${reference} of ${decimalText(amount)} ${done}`,
          { reference, outcome, account: accountId, amount: decimalText(amount) },
          options,
        );
      }),
    );

  proposalCommands(ledger, {
    kind: 'correction',
    under: 'ledger',
    approve: (fourEyes, decision) => fourEyes.approveCorrection(decision),
  });

  paged(ledger.command('corrections'))
    .description('list the corrections of an account, oldest first')
    .requiredOption('--account <id>', 'the account')
    .action((options: PageOptions & { account: string }) =>
      withBase('ledger corrections', async ({ sql }) => {
        await mustExist(sql, options.account);
        const rows = await listCorrections(sql, options.account, options);
        printRows(
          rows.map(({ id, reference, amount, note, posted_at }) => ({
            id,
            reference,
            amount: decimalText(amount),
            note,
            posted_at: isoDateTime(posted_at),
          })),
          options,
        );
      }),
    );
}
