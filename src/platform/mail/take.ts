import { lockNames } from '../postgres/advisory-lock.ts';
import type { Queryable, Sql } from '../postgres/connect.ts';
import { takesLookUps } from '../postgres/distributed/engine.ts';
import { withinReach } from '../postgres/distributed/owners.ts';
import type { EmailLink } from './queue.ts';

/** Limits on emails that an account's callers cause. 0 is unlimited. */
export interface LetterLimits {
  /** Per mailbox within 24 hours. Further emails wait. */
  perMailbox: number;
  /** Per minute. Further emails wait. */
  perMinute: number;
}

/** An email leased by a sender. */
export interface TakenMail {
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

/** A due email, as read before it is leased. */
interface Due extends Pick<TakenMail, 'id' | 'link_kind' | 'link_id' | 'link_no'> {
  mailbox: string | null;
  paced: boolean;
}

/**
 * Returns, for each email, true unless it has become useless, such as one whose link no longer
 * awaits an answer.
 */
export type StillPending = (
  sql: Queryable,
  accountId: string,
  links: (EmailLink | null)[],
) => Promise<boolean[]>;

export interface TakeTerms {
  /** Maximum number of emails. */
  most: number;
  limits: LetterLimits;
  linkStillPending: StillPending;
}

const lease = { minutes: 5 };
const day = { hours: 24 };
const minute = { minutes: 1 };

/** Joins the email of each row with a `mail_id`, as `mail`. */
export const joinMails = (sql: Queryable, of: string) => sql`
  left join mails mail on mail.account_id = ${sql(of)}.account_id
    and mail.id = ${sql(of)}.mail_id`;

/** Serializes one account's senders, so that emails are counted one by one. */
const lockLetters = (tx: Queryable, accountId: string) => lockNames(tx, `letters ${accountId}`);

export const accountsWithMails = (sql: Sql, now: Temporal.Instant) =>
  sql<
    { account_id: string }[]
  >`${takesLookUps(sql) ? dueByAccount(sql, now) : dueAnywhere(sql, now)}`;

/** Groups all due emails by account. Each node groups its own. */
const dueAnywhere = (sql: Sql, now: Temporal.Instant) => sql`
  select account_id from mails
  where state = 'waiting' and next_at <= ${now}::timestamptz ${withinReach(sql)}
  group by account_id`;

const dueByAccount = (sql: Sql, now: Temporal.Instant) => sql`
  with recursive owner as (
    (select account_id from mails where state = 'waiting' order by account_id limit 1)
    union all
    select (
      select account_id from mails
      where state = 'waiting' and account_id > owner.account_id order by account_id limit 1)
    from owner where account_id is not null
  )
  select account_id from owner
  where account_id is not null and exists (
    select from mails m
    where m.account_id = owner.account_id and m.state = 'waiting'
      and m.paced = any('{false,true}') and m.mass = any('{false,true}') and m.next_at <= ${now}::timestamptz)`;

/** One in this many emails per minute is reserved for personal ones. */
const personalShare = 10;

/** Returns the limit of mass emails per minute. */
export const massPerMinute = (perMinute: number): number =>
  perMinute - Math.floor(perMinute / personalShare);

interface Room {
  letters: number;
  /** Mass emails among these. */
  mass: number;
}

/** Returns how many emails the limit per minute still allows. */
async function roomOfMinute(
  tx: Queryable,
  accountId: string,
  { most, limits: { perMinute } }: TakeTerms,
  now: Temporal.Instant,
): Promise<Room> {
  if (perMinute === 0) return { letters: most, mass: most };
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from mails
    where account_id = ${accountId} and counted_at > ${now.subtract(minute)}::timestamptz`;
  const left = perMinute - (row?.count ?? 0);
  const within = (room: number): number => Math.max(0, Math.min(most, room));
  return { letters: within(left), mass: within(left - Math.floor(perMinute / personalShare)) };
}

/**
 * Reads and locks due emails: personal before mass ones, and in each group first those without a
 * limit or already counted.
 */
async function lookAtDue(
  tx: Queryable,
  accountId: string,
  { most, room }: { most: number; room: Room },
  now: Temporal.Instant,
): Promise<Due[]> {
  const due = ({ paced, mass }: { paced: boolean; mass: boolean }, limit: number) => tx<Due[]>`
    select id, link_kind, link_id, link_no, mailbox, paced from mails
    where account_id = ${accountId} and state = 'waiting' and paced = ${paced} and mass = ${mass}
      and next_at <= ${now}::timestamptz
    order by next_at, id limit ${limit} for update skip locked`;
  const taken: Due[] = [];
  for (const mass of [false, true]) {
    taken.push(...(await due({ paced: false, mass }, most - taken.length)));
    const letters = taken.filter(({ paced }) => paced).length;
    const left = Math.max(0, (mass ? room.mass : room.letters) - letters);
    taken.push(...(await due({ paced: true, mass }, Math.min(left, most - taken.length))));
  }
  return taken;
}

const linkOf = ({ link_kind: kind, link_id: id, link_no: no }: Due): EmailLink | null =>
  kind === null || id === null || no === null ? null : { kind, id, no };

async function uselessOf(
  tx: Queryable,
  accountId: string,
  letters: Due[],
  linkStillPending: StillPending,
): Promise<Due[]> {
  if (letters.length === 0) return [];
  const isPending = await linkStillPending(tx, accountId, letters.map(linkOf));
  return letters.filter((_letter, index) => !isPending[index]);
}

interface Counted {
  mailbox: string;
  /** Times of the day's last emails, latest first, up to the limit. */
  times: Temporal.Instant[];
}

const countedOf = (
  tx: Queryable,
  accountId: string,
  mailboxes: string[],
  { perMailbox }: LetterLimits,
  now: Temporal.Instant,
) => tx<Counted[]>`
  select mailbox, array(
    select counted_at from mails m
    where m.account_id = ${accountId} and m.mailbox = asked.mailbox
      and m.counted_at > ${now.subtract(day)}::timestamptz
    order by counted_at desc limit ${perMailbox}) as times
  from unnest(${mailboxes}::text[]) as asked (mailbox)`;

/**
 * Returns the ids of emails to send, and the full mailboxes, each with the time when it has room
 * again.
 */
export function shareOut(
  letters: readonly { id: number; mailbox: string | null }[],
  counted: readonly Counted[],
  perMailbox: number,
  now: Temporal.Instant,
): { go: number[]; full: Map<string, Temporal.Instant> } {
  const times = new Map(counted.map((one) => [one.mailbox, [...one.times]]));
  const full = new Map<string, Temporal.Instant>();
  const go = letters.filter(({ mailbox }) => {
    if (mailbox === null || perMailbox === 0) return true;
    const before = times.get(mailbox) ?? [];
    // The mailbox has room again when the earliest email within the limit is a day old.
    const earliest = before[perMailbox - 1];
    if (earliest !== undefined) full.set(mailbox, earliest.add(day));
    else times.set(mailbox, [now, ...before]);
    return earliest === undefined;
  });
  return { go: go.map(({ id }) => id), full };
}

const drop = (tx: Queryable, accountId: string, ids: number[], now: Temporal.Instant) => tx`
  update mails set state = 'dropped', paced = false, ended_at = ${now}::timestamptz
  where account_id = ${accountId} and id = any(${ids}::bigint[])`;

/** Postpones all emails to full mailboxes, not only those read. */
async function postpone(
  tx: Queryable,
  accountId: string,
  full: Map<string, Temporal.Instant>,
): Promise<number> {
  const rows = await tx`
    update mails m set next_at = until
    from unnest(${[...full.keys()]}::text[], ${[...full.values()]}::timestamptz[])
      as f (mailbox, until)
    where m.account_id = ${accountId} and m.mailbox = f.mailbox and m.paced
      and m.state = 'waiting' and m.next_at < until`;
  return rows.count;
}

/** Leases emails. The lease expires if the process dies. */
const claim = (tx: Queryable, accountId: string, ids: number[], now: Temporal.Instant) =>
  tx<TakenMail[]>`
    update mails set attempts = attempts + 1, next_at = ${now.add(lease)}::timestamptz,
      counted_at = case when paced then ${now}::timestamptz else counted_at end, paced = false
    where account_id = ${accountId} and id = any(${ids}::bigint[])
    returning account_id, id, recipient, subject, body, link_kind, link_id, link_no, attempts`;

/**
 * Leases some of an account's emails for sending. Emails that callers cause wait if they exceed the
 * limits, and are dropped if their link is useless. `moved` counts all emails no longer due, 0 if
 * nothing is left to do now.
 */
export async function takeMails(
  sql: Sql,
  accountId: string,
  terms: TakeTerms,
  now: Temporal.Instant,
): Promise<{ mails: TakenMail[]; moved: number }> {
  const { most, limits, linkStillPending } = terms;
  return await sql.begin(async (tx) => {
    await lockLetters(tx, accountId);
    const room = await roomOfMinute(tx, accountId, terms, now);
    const due = await lookAtDue(tx, accountId, { most, room }, now);
    const paced = due.filter((one) => one.paced);
    const useless = await uselessOf(tx, accountId, paced, linkStillPending);
    const letters = due.filter((one) => !useless.includes(one));
    const mailboxes = [...new Set(paced.flatMap(({ mailbox }) => mailbox ?? []))];
    const counted = await countedOf(tx, accountId, mailboxes, limits, now);
    // Emails that an earlier attempt counted bypass the limit of their mailbox.
    const { go, full } = shareOut(
      letters.map(({ id, paced: counts, mailbox }) => ({ id, mailbox: counts ? mailbox : null })),
      counted,
      limits.perMailbox,
      now,
    );
    if (useless.length > 0)
      await drop(
        tx,
        accountId,
        useless.map(({ id }) => id),
        now,
      );
    const postponed = full.size > 0 ? await postpone(tx, accountId, full) : 0;
    const mails = go.length > 0 ? await claim(tx, accountId, go, now) : [];
    return { mails, moved: useless.length + postponed + mails.length };
  });
}
