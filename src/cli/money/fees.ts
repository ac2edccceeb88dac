import type { Command } from 'commander';
import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, decimalText, zero } from '../../kernel/money.ts';
import { percentText } from '../../kernel/percent.ts';
import { allChannelCodes, type ChannelCode } from '../../money/channels/index.ts';
import { endFees, readFees, setFees, standardTerms } from '../../money/fees/index.ts';
import { amountOrZeroIn, businessDaysIn, channelIn, dayIn, percentageIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';

interface ChangeOptions extends Answering {
  account: string;
  channel: ChannelCode;
  from: Temporal.PlainDate;
}

interface SetOptions extends ChangeOptions {
  percentage: number;
  fixed: Centavos;
  minimum: Centavos;
  days: number;
}

const termsColumns = (ppm: number, fixed: Centavos, minimum: Centavos, days: number) => ({
  percentage: percentText(ppm),
  fixed: decimalText(fixed),
  minimum: decimalText(minimum),
  days,
});

function listCommand(fees: Command): void {
  fees
    .command('list')
    .description('the terms of an account: its own, and the standard ones of the other channels')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'as JSON')
    .action((options: { account: string; json?: boolean }) =>
      withBase('fees list', async ({ sql }) => {
        await mustExist(sql, options.account);
        const own = await readFees(sql, [options.account]);
        const standard = allChannelCodes.map((channel) => {
          const { percentagePpm, fixed, minimum, availableAfterDays } = standardTerms[channel];
          const terms = termsColumns(percentagePpm, fixed, minimum, availableAfterDays);
          return { channel, from: null, to: null, ...terms };
        });
        const rows = own.map((row) => ({
          channel: row.channel,
          from: formatDay(row.valid_from),
          to: row.valid_to && formatDay(row.valid_to),
          ...termsColumns(row.percentage_ppm, row.fixed, row.minimum, row.available_after_days),
        }));
        printRows([...rows, ...standard], options);
      }),
    );
}

export function feeCommands(fees: Command): void {
  listCommand(fees);

  fees
    .command('set')
    .description('give an account terms of its own for payments from a day on')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--channel <channel>', allChannelCodes.join(', '), channelIn)
    .requiredOption('--percentage <percent>', 'of the amount paid, like 1.50', percentageIn)
    .option('--fixed <amount>', 'added to it, in pesos', amountOrZeroIn, zero)
    .option('--minimum <amount>', 'the least fee, in pesos', amountOrZeroIn, zero)
    .requiredOption('--days <n>', 'business days until it is available', businessDaysIn)
    .requiredOption('--from <day>', 'first day of payment, today or later, dd-mm-yyyy', dayIn)
    .action((options: SetOptions) =>
      withBase('fees set', async ({ base, actor }) => {
        const { account: accountId, channel, from, percentage, fixed, minimum, days } = options;
        const terms = { percentagePpm: percentage, fixed, minimum, availableAfterDays: days };
        await setFees(base)({ accountId, channel, from, actor, terms });
        print(
          `${channel} of account ${accountId} has these terms from ${formatDay(from)} on`,
          {
            account: accountId,
            channel,
            from: formatDay(from),
            ...termsColumns(percentage, fixed, minimum, days),
          },
          options,
        );
      }),
    );

  fees
    .command('end')
    .description('end the own terms of an account for a channel: the standard ones hold again')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--channel <channel>', allChannelCodes.join(', '), channelIn)
    .requiredOption('--from <day>', 'first day of the standard terms, dd-mm-yyyy', dayIn)
    .action((options: ChangeOptions) =>
      withBase('fees end', async ({ base, actor }) => {
        const { account: accountId, channel, from } = options;
        await endFees(base)({ accountId, channel, from, actor });
        print(
          `${channel} of account ${accountId} has standard terms from ${formatDay(from)} on`,
          { account: accountId, channel, from: formatDay(from), terms: 'standard' },
          options,
        );
      }),
    );
}
