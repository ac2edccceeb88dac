import { maskCardNumbers } from '../../kernel/card-text.ts';
import { mailboxOf } from '../../kernel/email.ts';
import type { Queryable } from '../postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

/** Placeholder for the link in an email's body. */
export const linkMark = '[[link]]';

/**
 * Target of an email's link. The link is created when it is sent, so that the database stores no
 * token.
 */
export interface LetterLink {
  kind: string;
  id: number;
  /** The link's number. */
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
  link: LetterLink | null;
  /** True if an account's caller caused it. A mailbox accepts a limited number of those per day. */
  counts: boolean;
  /** True for mass mail. Personal emails go first. */
  mass?: boolean;
}

/**
 * Builds CTEs that queue emails in the statement of their cause, for the relation `mail
 * (account_id, mail_id)`. `now` is the wall clock's time.
 */
export const queueMails = (
  sql: Queryable,
  mails: Mail[],
  named: string,
  now: Temporal.Instant,
): Fragment => sql`
  queued_mail as (
    insert into mails (account_id, id, recipient, subject, body, link_kind, link_id, link_no,
      mailbox, paced, mass, state, attempts, next_at)
    select account_id, mail_id, recipient, subject, body, link_kind, link_id, link_no, mailbox,
      mailbox is not null, mass, 'waiting', 0, ${now}::timestamptz
    from unnest(
      ${mails.map((mail) => mail.accountId)}::text[], ${mails.map((mail) => mail.id)}::bigint[],
      ${mails.map((mail) => mail.recipient)}::text[],
      ${mails.map((mail) => maskCardNumbers(mail.subject))}::text[],
      ${mails.map((mail) => maskCardNumbers(mail.body))}::text[],
      ${mails.map((mail) => mail.link?.kind ?? null)}::text[],
      ${mails.map((mail) => mail.link?.id ?? null)}::bigint[],
      ${mails.map((mail) => mail.link?.no ?? null)}::smallint[],
      ${mails.map((mail) => (mail.counts ? mailboxOf(mail.recipient) : null))}::text[],
      ${mails.map((mail) => mail.mass ?? false)}::boolean[]
    ) as mail (account_id, mail_id, recipient, subject, body, link_kind, link_id, link_no, mailbox,
      mass)
    join ${sql(named)} using (account_id, mail_id)
  )`;
