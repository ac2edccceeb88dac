import type { Command } from 'commander';
import type { Centavos } from '../../kernel/money.ts';
import { type Reversal, reverse } from '../../money/reversals/index.ts';
import { amountIn, idIn, reasonIn, referenceIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print } from '../print.ts';

interface ReversalOptions extends Answering {
  account: string;
  request: number;
  result?: number;
  amount?: Centavos;
  reason: string;
  reference: string;
}

/** Tells the service of money that went back by a way that it does not see. */
const takeBack = (type: Reversal['type'], options: ReversalOptions): Promise<void> =>
  withBase(`collections ${type}`, async ({ base, sql, actor }) => {
    const { account: accountId, request: id, result, amount, reason, reference } = options;
    await mustExist(sql, accountId);
    const told = await reverse(base)({
      key: { accountId, id },
      type,
      resultId: result ?? null,
      amount: amount ?? null,
      actor,
      source: 'operator',
      sourceRef: reference,
      comment: reason,
    });
    print(
      told.outcome === 'known'
        ? `the ${type} ${reference} of request ${id} was recorded before`
        : `the ${type} ${reference} of request ${id} is result ${told.resultId}`,
      {
        type,
        reference,
        account: accountId,
        request: id,
        outcome: told.outcome,
        result: told.outcome === 'known' ? null : told.resultId,
      },
      options,
    );
  });

const common = (command: Command): Command =>
  command
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--request <id>', 'the request that was paid', idIn)
    .option('--result <id>', 'the payment, of several; else the last that can go back', idIn)
    .requiredOption('--reason <text>', 'shown to the account holder', reasonIn)
    .requiredOption(
      '--reference <text>',
      'your name for it: the same one counts once',
      referenceIn,
    );

export function collectionCommands(collections: Command): void {
  common(
    collections
      .command('refund')
      .description('record that a payment was given back to the payer, whole or in part'),
  )
    .option('--amount <amount>', 'in pesos; else all that is left', amountIn)
    .action((options: ReversalOptions) => takeBack('refund', options));

  common(
    collections
      .command('chargeback')
      .description('record that the payer or his bank took a payment back, as a whole'),
  ).action((options: ReversalOptions) => takeBack('chargeback', options));
}
