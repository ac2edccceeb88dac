import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { CardBrand } from '../../kernel/card-number.ts';
import { cardBrands } from '../../money/channels/index.ts';
import { type AccountPlans, readAccountPlans, setAccountPlans } from '../../money/plans/index.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, printRows } from '../print.ts';

/** Counts of installments; null: all. */
const installmentsIn = (text: string): number[] | null => {
  if (text === 'all') return null;
  if (text === 'none') return [];
  const counts = text.split(',').map((one) => (/^[0-9]{1,2}$/.test(one) ? Number(one) : 0));
  if (counts.every((count) => count > 0)) return counts;
  throw new InvalidArgumentError('It must be all, none, or counts separated by commas.');
};

const shown = (plans: AccountPlans[]) =>
  plans.map(({ brand, installments, chosen }) => ({
    brand,
    installments: installments.length === 0 ? 'none' : installments.join(','),
    chosen: chosen ? 'for this account' : 'all that there are',
  }));

export function planCommands(plans: Command): void {
  plans
    .command('list')
    .description('list what is enabled for an account')
    .argument('<account>', 'the account')
    .option('--json', 'as JSON')
    .action((accountId: string, options: { json?: boolean }) =>
      withBase('plans list', async ({ sql }) => {
        await mustExist(sql, accountId);
        printRows(shown(await readAccountPlans(sql, accountId)), options);
      }),
    );

  plans
    .command('set')
    .description('enable plans of a brand for an account; prints what is enabled then')
    .argument('<account>', 'the account')
    .addArgument(new Argument('<brand>', 'the brand').choices(Object.keys(cardBrands)))
    .argument('<installments>', '1,3,6 and so on; all; or none', installmentsIn)
    .action(
      (accountId: string, brand: CardBrand, installments: number[] | null, options: Answering) =>
        withBase('plans set', async ({ base, actor }) => {
          const set = setAccountPlans({ ...base, actor });
          printRows(shown(await set({ accountId, brand, installments })), options);
        }),
    );
}
