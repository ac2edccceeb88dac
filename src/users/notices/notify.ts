import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { AccountRole } from '../acts.ts';
import { queueEmail } from '../emails.ts';
import { type User, userColumns } from '../user.ts';
import { type AccountNews, composeDigest } from './compose.ts';
import { type Topic, topicsFor } from './topics.ts';

/** An account's position in its notices. */
export interface Mark {
  account_id: string;
  position: number;
  payouts: number[];
  webhooks: number[];
  summary_day: Temporal.PlainDate;
}

export interface Since {
  name: string;
  happened: AccountNews;
  next: Omit<Mark, 'account_id'>;
}

/** Interval between checks of an account, and so between its emails. */
const every = { minutes: 15 } as const;
const accountsAtOnce = 50;
const maxRecipients = 50;

interface Reader extends User {
  role: AccountRole;
  notices: Topic[];
}

/** Reads an account's subscribers. Suspended users come last. */
const readersOf = (tx: Queryable, accountId: string) => tx<Reader[]>`
  with m as materialized (
    select user_id, role, notices from memberships
    where account_id = ${accountId} and state = 'active' and notices <> '{}'
  )
  select ${userColumns(tx)}, m.role, m.notices from m join users u on u.id = m.user_id
  order by u.state = 'active' desc, u.id limit ${maxRecipients}`;

/** Locks an account's mark. Returns null if it is not due or is locked. */
async function holdMark(
  tx: Queryable,
  accountId: string,
  now: Temporal.Instant,
): Promise<Mark | null> {
  const [mark] = await tx<Mark[]>`
    select account_id, position, payouts, webhooks, summary_day from notice_marks
    where account_id = ${accountId} and look_at <= ${now}::timestamptz for update skip locked`;
  return mark ?? null;
}

const moveMark = (tx: Queryable, accountId: string, { next }: Since, at: Temporal.Instant) => tx`
  update notice_marks set look_at = ${at}::timestamptz, position = ${next.position},
    payouts = ${next.payouts}::bigint[], webhooks = ${next.webhooks}::bigint[],
    summary_day = ${next.summary_day}::date
  where account_id = ${accountId}`;

interface DigestTarget {
  accountId: string;
  mailIds: readonly number[];
  now: Temporal.Instant;
}

/**
 * Notifies an account's subscribers and moves its mark. Returns false if the mark was not due, or
 * locked elsewhere.
 */
async function notifyAccount(
  tx: Transaction,
  { accountId, mailIds, now }: DigestTarget,
  since: (tx: Queryable, mark: Mark) => Promise<Since | null>,
): Promise<boolean> {
  const mark = await holdMark(tx, accountId, now);
  if (!mark) return false;
  const readers = await readersOf(tx, accountId);
  const found = readers.length === 0 ? null : await since(tx, mark);
  if (!found) {
    // The next subscription starts a new mark.
    await tx`delete from notice_marks where account_id = ${accountId}`;
    return true;
  }
  for (const [index, reader] of readers.entries()) {
    if (reader.state !== 'active') continue;
    const may = topicsFor(reader.role).filter((topic) => reader.notices.includes(topic));
    const words = composeDigest(reader, found.name, found.happened, may);
    if (words === null) continue;
    const letter = { accountId, id: mailIds[index] ?? 0, recipient: reader.email, link: null };
    await queueEmail(tx, { ...letter, ...words }, now);
  }
  await moveMark(tx, accountId, found, now.add(every));
  return true;
}

/**
 * Sends subscribers their accounts' news since the last email, one email each. Sends and moves the
 * position in one transaction. Returns the number of due accounts, 0 when none are left.
 */
export async function notifyAccounts(
  { sql, clocks, recordIds }: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  since: (tx: Queryable, mark: Mark) => Promise<Since | null>,
): Promise<number> {
  const now = clocks.wall.now();
  const due = await sql<{ account_id: string }[]>`
    select account_id from notice_marks where look_at <= ${now}::timestamptz ${withinReach(sql)}
    order by look_at limit ${accountsAtOnce}`;
  let looked = 0;
  const how = { atOnce: 1, failed: 'Users of some accounts could not be notified.' };
  await eachAccount(due, how, async ({ account_id: accountId }) => {
    const mailIds = await recordIds.take(maxRecipients);
    try {
      const wasDue = await sql.begin((tx) => notifyAccount(tx, { accountId, mailIds, now }, since));
      if (wasDue) looked += 1;
    } catch (error) {
      // Postpone it, so that it does not delay others.
      await sql`
        update notice_marks set look_at = ${now.add(every)}::timestamptz
        where account_id = ${accountId} and look_at <= ${now}::timestamptz`;
      throw error;
    }
  });
  return looked;
}
