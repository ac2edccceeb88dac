import type { ListPage } from '../list-page.ts';
import type { Queryable } from '../postgres/connect.ts';
import { countUpTo } from '../postgres/count.ts';

export const mailStates = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/** An email in a list, without its text. */
export interface ListedMail {
  account_id: string;
  id: number;
  recipient: string;
  subject: string;
  state: MailState;
  attempts: number;
  next_at: Temporal.Instant;
}

/** Lists emails of some accounts in a state, by id. */
export async function listMails(
  sql: Queryable,
  accountIds: readonly string[],
  state: MailState,
  { after, limit }: ListPage,
): Promise<ListedMail[]> {
  return await sql<ListedMail[]>`
    select account_id, id, recipient, subject, state, attempts, next_at from mails
    where account_id = any(${[...accountIds]}::text[]) and state = ${state} and id > ${after}
    order by id limit ${limit}`;
}

/** Restarts the retries of failed emails. Returns their number. A null `id` selects all. */
export async function sendFailedAgain(
  sql: Queryable,
  {
    accountIds,
    id,
    now,
  }: {
    accountIds: readonly string[];
    id: number | null;
    now: Temporal.Instant;
  },
): Promise<number> {
  const rows = await sql`
    update mails set state = 'waiting', attempts = 0, next_at = ${now}::timestamptz,
      ended_at = null, refusal = null
    where account_id = any(${[...accountIds]}::text[]) and state = 'failed'
      ${id === null ? sql`` : sql`and id = ${id}`}`;
  return rows.count;
}

/** Counts emails that failed for good, up to `most`. */
export const countFailedMails = (sql: Queryable, most: number): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from mails where state = 'failed'`);

/**
 * Counts an account's emails that its callers caused and that await their first attempt, up to
 * `most`.
 */
export const countWaitingLetters = (
  sql: Queryable,
  accountId: string,
  most: number,
): Promise<number> =>
  countUpTo(
    sql,
    most,
    sql`select 1 from mails where account_id = ${accountId} and state = 'waiting' and paced`,
  );

/** Counts failed emails that will be retried, up to `most`. */
export const countRetriedMails = (sql: Queryable, most: number): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from mails where state = 'waiting' and attempts > 0`);

export const countWaitingMails = (sql: Queryable, most: number): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from mails where state = 'waiting'`);
