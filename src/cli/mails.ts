import { type Command, Option } from 'commander';
import { noteOperator } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Acting } from '../platform/base.ts';
import { notFound } from '../platform/errors.ts';
import { listMails, type MailState, mailStates, sendFailedAgain } from '../platform/mail/outbox.ts';
import { idIn, type PageOptions, paged } from './arguments.ts';
import { withBase } from './command.ts';
import { print, printRows } from './print.ts';
import { accountIdsOf, inAccount } from './which.ts';

/** Queues failed mails again and writes down who did. */
async function resendMails(
  acting: Acting,
  order: { accountIds: string[]; id: number | null },
): Promise<number> {
  const eventId = await acting.recordIds.next();
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    const queued = await sendFailedAgain(tx, { ...order, now });
    const told = { entity: 'mail', entityId: String(order.id ?? 'all'), type: 'mail.resent' };
    if (queued > 0) await noteOperator(tx, acting, { eventId, ...told, data: { queued } });
    return queued;
  });
}

export function mailCommands(program: Command): void {
  const mails = program.command('mails').description('letters to holders of mandates');

  inAccount(paged(mails.command('list')))
    .description('list mails, the failed ones unless told; never their text')
    .addOption(new Option('--state <state>', 'which').choices([...mailStates]).default('failed'))
    .action((options: PageOptions & { account?: string; state: MailState }) =>
      withBase('mails list', async ({ sql }) => {
        const accountIds = await accountIdsOf(sql, options.account);
        const rows = await listMails(sql, accountIds, options.state, options);
        printRows(
          rows.map(({ account_id, next_at, ...row }) => ({
            account: account_id,
            ...row,
            next_at: row.state === 'waiting' ? isoDateTime(next_at) : null,
          })),
          options,
        );
      }),
    );

  const resend = inAccount(mails.command('resend'))
    .description('send failed mails again, with all their tries')
    .argument('[id]', 'the number that `mails list` shows', idIn)
    .option('--all', 'every failed one')
    .option('--json', 'as JSON')
    .action(
      (id: number | undefined, options: { account?: string; all?: boolean; json?: boolean }) => {
        if ((id === undefined) === (options.all === undefined)) {
          resend.error('error: give the number of a mail or --all');
        }
        return withBase('mails resend', async ({ base, actor }) => {
          const accountIds = await accountIdsOf(base.sql, options.account);
          const order = { accountIds, id: id ?? null };
          const queued = await resendMails({ ...base, actor }, order);
          if (queued === 0 && id !== undefined) throw notFound('failed mail');
          print(`${queued} mails are sent again`, { queued }, options);
        });
      },
    );
}
