import type { Clock } from '../clocks.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../postgres/connect.ts';
import { type LetterLink, linkMark } from './queue.ts';

/** Where mails go: a mail server, or a folder. Throws what went wrong. */
export type Transport = (mail: {
  recipient: string;
  subject: string;
  body: string;
  /** The same on every try, so that a mail server or reader can tell a repeated one. */
  messageId: string;
}) => Promise<void>;

interface Waiting {
  account_id: string;
  id: number;
  recipient: string;
  subject: string;
  body: string;
  link_kind: string | null;
  link_id: number | null;
  link_no: number | null;
  attempts: number;
}

const atOnce = 20;
const lease = { minutes: 5 };
/** Minutes between tries; after the last the mail is given up and stays as failed. */
const waits = [1, 5, 30, 120, 480, 1440];

/** Takes some of an account's mails: whoever dies with them gives them back after the lease. */
const take = (sql: Sql, accountId: string, now: Temporal.Instant): Promise<Waiting[]> =>
  sql<Waiting[]>`
    update mails set attempts = attempts + 1, next_at = ${now.add(lease)}::timestamptz
    where account_id = ${accountId} and id in (
      select id from mails
      where account_id = ${accountId} and state = 'waiting' and next_at <= ${now}::timestamptz
      order by next_at limit ${atOnce} for update skip locked)
    returning account_id, id, recipient, subject, body, link_kind, link_id, link_no, attempts`;

/** The whole address that a letter's link opens. */
export type LinkOf = (link: LetterLink & { accountId: string }) => string;

export interface MailerTerms {
  log: Log;
  /** Names this service in Message-IDs. */
  domain: string;
  linkOf: LinkOf;
}

/** Sends what waits, each mail at least once; answers how many were tried. */
export function createMailer(
  sql: Sql,
  clock: Clock,
  transport: Transport,
  { log, domain, linkOf }: MailerTerms,
) {
  const bodyOf = ({ account_id: accountId, body, ...mail }: Waiting): string => {
    const { link_kind: kind, link_id: id, link_no: no } = mail;
    if (kind === null || id === null || no === null) return body;
    return body.replaceAll(linkMark, linkOf({ accountId, kind, id, no }));
  };

  const sendOne = async (mail: Waiting): Promise<void> => {
    const messageId = `<${mail.account_id}.${mail.id}@${domain}>`;
    try {
      const { recipient, subject } = mail;
      await transport({ recipient, subject, body: bodyOf(mail), messageId });
      await sql`
        update mails set state = 'sent'
        where account_id = ${mail.account_id} and id = ${mail.id}`;
    } catch (error) {
      const wait = waits[mail.attempts - 1];
      log.warn(
        { err: error, mail: messageId },
        wait ? 'a mail will be tried again' : 'a mail failed',
      );
      await sql`
        update mails set state = ${wait ? 'waiting' : 'failed'},
          next_at = ${clock.now().add({ minutes: wait ?? 0 })}::timestamptz
        where account_id = ${mail.account_id} and id = ${mail.id}`;
    }
  };
  return async (): Promise<number> => {
    const accounts = await sql<{ account_id: string }[]>`
      select distinct account_id from mails
      where state = 'waiting' and next_at <= ${clock.now()}::timestamptz limit 100`;
    let tried = 0;
    for (const { account_id } of accounts) {
      const mails = await take(sql, account_id, clock.now());
      await Promise.all(mails.map(sendOne));
      tried += mails.length;
    }
    return tried;
  };
}
