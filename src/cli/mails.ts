import { readFile, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { operatorBooks } from '../accounts/index.ts';
import { noteOperator } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { bookBounces } from '../payment-requests/index.ts';
import type { Acting } from '../platform/base.ts';
import { listMails, type MailState, mailStates, sendFailedAgain } from '../platform/mail/outbox.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { idIn, type PageOptions, paged } from './arguments.ts';
import { refusal } from './codes.ts';
import { withBase } from './command.ts';
import { print, printRows } from './print.ts';
import { accountIdsOf, inAccount } from './which.ts';

/**
 * Returns the accounts of a command. Without one, includes the operator's books, which have the
 * emails of invitations and password resets.
 */
async function booksOf(sql: Sql, account: string | undefined): Promise<string[]> {
  if (account === operatorBooks) return [operatorBooks];
  const accounts = await accountIdsOf(sql, account);
  return account === undefined ? [operatorBooks, ...accounts] : accounts;
}

/** Queues failed emails again and records the operator. */
async function resendMails(
  acting: Acting,
  order: { accountIds: string[]; id: number | null },
): Promise<number> {
  const eventId = await acting.recordIds.next();
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    const queued = await sendFailedAgain(tx, { ...order, now });
    const event = { entity: 'mail', entityId: String(order.id ?? 'all'), type: 'mail.resent' };
    if (queued > 0) await noteOperator(tx, acting, { eventId, ...event, data: { queued } });
    return queued;
  });
}

const largestFile = 64 * 1024 * 1024;

/** Reads a bounce as Latin-1, because addresses and codes are ASCII in any encoding. */
async function bouncesIn(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > largestFile) {
    throw refusal('mail.bounces_too_large', { most: largestFile / 1024 / 1024 });
  }
  return await readFile(file, 'latin1');
}

export function mailCommands(mails: Command): void {
  inAccount(paged(mails.command('list')))
    .description('list failed e-mails, or those in another state; never shows their text')
    .addOption(
      new Option('--state <state>', 'only e-mails in this state')
        .choices([...mailStates])
        .default('failed'),
    )
    .action((options: PageOptions & { account?: string; state: MailState }) =>
      withBase('mails list', async ({ sql }) => {
        const accountIds = await booksOf(sql, options.account);
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
    .description('resend failed e-mails, with a full set of retries')
    .argument('[id]', 'the number that `mails list` shows', idIn)
    .option('--all', 'all failed e-mails')
    .option('--json', 'as JSON')
    .action(
      (id: number | undefined, options: { account?: string; all?: boolean; json?: boolean }) => {
        if ((id === undefined) === (options.all === undefined)) {
          resend.error('error: give the number of an e-mail, or --all');
        }
        return withBase('mails resend', async ({ base, actor }) => {
          const accountIds = await booksOf(base.sql, options.account);
          const order = { accountIds, id: id ?? null };
          const queued = await resendMails({ ...base, actor }, order);
          if (queued === 0 && id !== undefined) throw refusal('mail.not_failed', {});
          print(`${queued} e-mails are queued again`, { queued }, options);
        });
      },
    );

  mails
    .command('bounces')
    .description('record bounces of e-mails to payers; their requests show them')
    .argument('<file>', 'delivery reports (RFC 3464): one message (.eml) or a folder (mbox)')
    .option('--json', 'as JSON')
    .action((file: string, options: { json?: boolean }) =>
      withBase('mails bounces', async ({ base, actor }) => {
        const booked = await bookBounces({ ...base, actor }, await bouncesIn(file));
        const { read, noted, known, other } = booked;
        print(
          `${read} messages: ${noted} bounces noted, ${known} known already, ${other} others`,
          { ...booked },
          options,
        );
      }),
    );
}
