import type { Clock } from '../clocks.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../postgres/connect.ts';
import { type LetterLink, linkMark } from './queue.ts';
import {
  accountsWithMails,
  type LetterLimits,
  type StillAsked,
  type TakenMail,
  takeMails,
} from './take.ts';

/** Where mails go: a mail server, or a folder. Throws what went wrong. */
export type Transport = (mail: {
  recipient: string;
  subject: string;
  body: string;
  /** The same on every try, so that a mail server or reader can tell a repeated one. */
  messageId: string;
}) => Promise<void>;

/** Minutes between tries; after the last the mail is given up and stays as failed. */
const waits = [1, 5, 30, 120, 480, 1440];

/** The whole address that a letter's link opens. */
export type LinkOf = (link: LetterLink & { accountId: string }) => string;

export interface MailerTerms {
  log: Log;
  /** Names this service in Message-IDs. */
  domain: string;
  linkOf: LinkOf;
  stillAsked: StillAsked;
  /** Of an account's letters; read anew each time that some are sent. */
  limitsOf(accountId: string): Promise<LetterLimits>;
}

/**
 * Sends what waits, each mail at least once; answers how many were tried or put off, so 0 when
 * there is nothing to do for now.
 */
export function createMailer(
  sql: Sql,
  clock: Clock,
  transport: Transport,
  { log, domain, linkOf, stillAsked, limitsOf }: MailerTerms,
) {
  const bodyOf = ({ account_id: accountId, body, ...mail }: TakenMail): string => {
    const { link_kind: kind, link_id: id, link_no: no } = mail;
    if (kind === null || id === null || no === null) return body;
    return body.replaceAll(linkMark, linkOf({ accountId, kind, id, no }));
  };

  const sendOne = async (mail: TakenMail): Promise<void> => {
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
    let moved = 0;
    for (const { account_id: accountId } of await accountsWithMails(sql, clock.now())) {
      const terms = { limits: await limitsOf(accountId), stillAsked };
      const taken = await takeMails(sql, accountId, terms, clock.now());
      await Promise.all(taken.mails.map(sendOne));
      moved += taken.moved;
    }
    return moved;
  };
}
