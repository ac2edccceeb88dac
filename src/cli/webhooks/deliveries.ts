import type { Command } from 'commander';
import { deliveryLines, deliveryList, resendEvent } from '../../webhooks/index.ts';
import { idIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { listCommand, printListed } from '../listing.ts';

interface Options {
  account: string;
  webhook?: number;
  json?: boolean;
}

export function deliveryCommands(webhooks: Command): void {
  listCommand(webhooks, deliveryList);
  webhooks
    .command('resend')
    .description('send an event again to those who want its type, or to one of them')
    .requiredOption('--account <id>', 'the account')
    .argument('<event>', 'the number of the event', idIn)
    .option('--webhook <id>', 'only to this one', idIn)
    .option('--json', 'as JSON')
    .action((eventId: number, options: Options) =>
      withBase('webhooks resend', async ({ base, sql, actor }) => {
        await mustExist(sql, options.account);
        const ctx = { accountId: options.account, actor };
        const order = { eventId, webhookId: options.webhook ?? null };
        const rows = deliveryLines(await resendEvent(base)(ctx, order));
        printListed(deliveryList, rows, options);
      }),
    );
}
