import { joinMails } from '../../platform/mail/take.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { PayerMailKind } from './texts/kinds.ts';

export interface DueMail {
  request_id: number;
  kind: PayerMailKind;
  /** Number of the due date (reminder), or id of the result (receipt). */
  no: number;
  copy: number;
}

/** Reason that an email was not written. */
export type SkipReason =
  | 'account'
  | 'off'
  | 'address'
  | 'stopped'
  | 'not_pending'
  | 'passed'
  | 'went_back'
  | 'gone';

/** Returns accounts with due emails, with one index lookup per account. */
export const accountsWithDue = (sql: Queryable) => sql<{ account_id: string }[]>`
  select s.account_id from payer_mail_settings s
  where exists (select from payer_mails m where m.account_id = s.account_id and m.state = 'due')
  order by s.account_id`;

/** Reads and locks up to `most` of an account's due emails, oldest first. Skips locked ones. */
export const holdDue = (tx: Queryable, accountId: string, most: number) => tx<DueMail[]>`
  select request_id, kind, no, copy from payer_mails
  where account_id = ${accountId} and state = 'due'
  order by at, request_id limit ${most} for update skip locked`;

/** Marks emails as skipped, with the reason. */
export async function skipMails(
  tx: Queryable,
  accountId: string,
  skipped: readonly { mail: DueMail; reason: SkipReason }[],
): Promise<void> {
  await tx`
    update payer_mails m set state = 'skipped', reason = one.reason
    from ${recordset(
      tx,
      'one (request_id bigint, kind text, no bigint, copy smallint, reason text)',
      skipped.map(({ mail, reason }) => ({ ...mail, reason })),
    )}
    where m.account_id = ${accountId} and m.request_id = one.request_id and m.kind = one.kind
      and m.no = one.no and m.copy = one.copy`;
}

export interface MailOutcome {
  kind: PayerMailKind;
  recipient: string;
  state: 'waiting' | 'sent' | 'failed' | 'dropped';
  ended_at: Temporal.Instant | null;
  refusal: string | null;
  bounced_at: Temporal.Instant | null;
  bounce: string | null;
}

/** Maximum number of emails listed per request. */
const maxListed = 50;

/** Reads the emails written about a request, in order. */
export const mailsAbout = (sql: Queryable, { accountId, id }: RequestKey) => sql<MailOutcome[]>`
  select m.kind, coalesce(mail.recipient, m.recipient) as recipient,
    coalesce(mail.state, m.mail_state) as state, coalesce(mail.ended_at, m.ended_at) as ended_at,
    mail.refusal, m.bounced_at, m.bounce
  from payer_mails m ${joinMails(sql, 'm')}
  where m.account_id = ${accountId} and m.request_id = ${id} and coalesce(mail.state, m.mail_state) is not null
  order by m.at, m.mail_id limit ${maxListed}`;

/**
 * Builds a common table expression for a statement that deletes emails as `gone`: copies their
 * outcome to `payer_mails`, so that the request's page still shows it.
 */
export const keepMailOutcomes = (sql: Queryable) => sql`
  told as (
    update payer_mails m set recipient = gone.recipient, mail_state = gone.state,
      ended_at = gone.ended_at
    from gone where m.account_id = gone.account_id and m.mail_id = gone.id
  )`;
