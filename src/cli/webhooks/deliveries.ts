import type { Command } from 'commander';
import { isoDateTime } from '../../kernel/dates.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Ctx } from '../../platform/base.ts';
import { type DeliveryRow, listDeliveries, resendEvent } from '../../webhooks/index.ts';
import { idIn } from '../arguments.ts';
import { mustExist, withBase } from '../command.ts';
import { printRows } from '../print.ts';

interface Options {
  account: string;
  webhook?: number;
  json?: boolean;
}

const ctxOf = (accountId: string, actor: Actor, command: string): Ctx => ({
  accountId,
  actor,
  requestId: command,
});

/** One line for each attempt, and one for a delivery that had none yet. */
const lines = (row: DeliveryRow) => {
  const { webhook_id: webhook, url, state } = row;
  const next_at = row.next_at && isoDateTime(row.next_at);
  const none = { attempt: null, at: null, status: null, error: null, ms: null };
  const attempts = row.attempts.map(({ no, at, status, error, ms }) => ({
    attempt: no,
    at: isoDateTime(at),
    status,
    error,
    ms,
  }));
  return (attempts.length > 0 ? attempts : [none]).map((one) => ({
    webhook,
    url,
    state,
    next_at,
    ...one,
  }));
};

const ofEvent = (command: Command): Command =>
  command
    .requiredOption('--account <id>', 'the account')
    .argument('<event>', 'the number of the event', idIn)
    .option('--json', 'as JSON');

export function deliveryCommands(webhooks: Command): void {
  ofEvent(webhooks.command('deliveries'))
    .description('list where an event was sent, with each attempt')
    .action((event: number, options: Options) =>
      withBase('webhooks deliveries', async ({ base, sql, actor }) => {
        await mustExist(sql, options.account);
        const ctx = ctxOf(options.account, actor, 'webhooks deliveries');
        printRows((await listDeliveries(base)(ctx, event)).flatMap(lines), options);
      }),
    );

  ofEvent(webhooks.command('resend'))
    .description('send an event again to those who want its type, or to one of them')
    .option('--webhook <id>', 'only to this one', idIn)
    .action((eventId: number, options: Options) =>
      withBase('webhooks resend', async ({ base, sql, actor }) => {
        await mustExist(sql, options.account);
        const ctx = ctxOf(options.account, actor, 'webhooks resend');
        const order = { eventId, webhookId: options.webhook ?? null };
        printRows((await resendEvent(base)(ctx, order)).flatMap(lines), options);
      }),
    );
}
