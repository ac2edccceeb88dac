import { maskCardNumbers } from '../../kernel/card-text.ts';
import { mailboxOf } from '../../kernel/email.ts';
import type { Queryable } from '../postgres/connect.ts';
import { recordset } from '../postgres/recordset.ts';

type Fragment = ReturnType<Queryable>;

/** Placeholder for the link in an email's body. */
export const linkMark = '[[link]]';

/**
 * Target of an email's link. The link is created when the email is sent, so that the database
 * stores no token.
 */
export interface EmailLink {
  kind: string;
  id: number;
  no: number;
}

/** An email as plain text. */
export interface Mail {
  accountId: string;
  id: number;
  recipient: string;
  subject: string;
  body: string;
  /** The link that replaces `linkMark`, if any. */
  link: EmailLink | null;
  /**
   * True if an account's caller caused it. The number of such emails per mailbox and day is
   * limited.
   */
  counts: boolean;
  /** True for mass mail. Personal emails go first. */
  mass?: boolean;
}

/**
 * Builds a CTE that queues emails in the statement of their cause, for the rows of the relation
 * `named (account_id, mail_id)`. `now` is the wall clock's time.
 */
export const queueMails = (
  sql: Queryable,
  mails: Mail[],
  named: string,
  now: Temporal.Instant,
): Fragment => {
  const rows = mails.map((mail) => ({
    account_id: mail.accountId,
    mail_id: mail.id,
    recipient: mail.recipient,
    subject: maskCardNumbers(mail.subject),
    body: maskCardNumbers(mail.body),
    link_kind: mail.link?.kind,
    link_id: mail.link?.id,
    link_no: mail.link?.no,
    mailbox: mail.counts ? mailboxOf(mail.recipient) : null,
    mass: mail.mass ?? false,
  }));
  const shape = `mail (account_id text, mail_id bigint, recipient text, subject text, body text,
    link_kind text, link_id bigint, link_no smallint, mailbox text, mass boolean)`;
  return sql`
  queued_mail as (
    insert into mails (account_id, id, recipient, subject, body, link_kind, link_id, link_no,
      mailbox, paced, mass, state, attempts, next_at)
    select account_id, mail_id, recipient, subject, body, link_kind, link_id, link_no, mailbox,
      mailbox is not null, mass, 'waiting', 0, ${now}::timestamptz
    from ${recordset(sql, shape, rows)}
    join ${sql(named)} using (account_id, mail_id)
  )`;
};
