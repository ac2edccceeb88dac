import type { Queryable } from '../postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

/** A mail as plain text. */
export interface Mail {
  accountId: string;
  id: number;
  recipient: string;
  subject: string;
  body: string;
}

/**
 * Queues mails in the statement of the fact that they tell: `mail` is a relation of it with
 * `(account_id, mail_id)`, and only mails that it names are queued. To be put behind `with`.
 */
export const queueMails = (
  sql: Queryable,
  mails: Mail[],
  named: string,
  now: Temporal.Instant,
): Fragment => sql`
  queued_mail as (
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
    select account_id, mail_id, recipient, subject, body, 'waiting', 0, ${now}::timestamptz
    from unnest(
      ${mails.map((mail) => mail.accountId)}::text[], ${mails.map((mail) => mail.id)}::bigint[],
      ${mails.map((mail) => mail.recipient)}::text[], ${mails.map((mail) => mail.subject)}::text[],
      ${mails.map((mail) => mail.body)}::text[]
    ) as mail (account_id, mail_id, recipient, subject, body)
    join ${sql(named)} using (account_id, mail_id)
  )`;
