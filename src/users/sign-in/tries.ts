import { hash } from 'node:crypto';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { SignInRules } from './rules.ts';

// An attempt counts before it is checked, so that concurrent ones add up. Strangers who guess
// passwords for an address use up their own network's attempts, never a known device's.

/** A network, and all networks for one user, get this many times the attempts. */
const together = 5;

export interface Tried {
  /** The attempt's network. */
  address: string;
  /**
   * An email address, known or not, or the signed-in user. Null if the attempt names nobody, and
   * only its network counts.
   */
  person: string | null;
  /** Set for attempts without a session. `device` is the device of an earlier sign-in. */
  open?: { device: string | null };
}

/** A counter of attempts: its key and its limit. */
interface Bucket {
  subject: Buffer;
  most: number;
  /** Null for a network as a whole, which a user's release does not reset. */
  person: Buffer | null;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const personOf = (name: string): Buffer => digest(`person ${name}`);

function bucketsOf({ address, person: name, open }: Tried, { tries }: SignInRules): Bucket[] {
  const network = { subject: digest(`address ${address}`), most: together * tries, person: null };
  if (name === null) return [network];
  const person = personOf(name);
  if (open === undefined) return [network, { subject: person, most: tries, person }];
  if (open.device !== null) {
    return [{ subject: digest(`device ${open.device} ${name}`), most: tries, person }];
  }
  return [
    network,
    { subject: digest(`pair ${address} ${name}`), most: tries, person },
    { subject: person, most: together * tries, person },
  ];
}

const mostForgotten = 100;

async function deleteOld(sql: Queryable, before: Temporal.Instant): Promise<void> {
  await sql`
    delete from user_tries where subject in (
      select subject from user_tries where since < ${before}::timestamptz
      order by since limit ${mostForgotten} for update skip locked)`;
}

export interface Wait {
  seconds: number;
  /** True for the first attempt in this window that waits because of the person's counter. */
  begins: boolean;
}

interface Counted {
  subject: Buffer;
  tries: number;
  since: Temporal.Instant;
}

/** Counts an attempt. Returns null if it may proceed, else the wait. */
export async function countTry(
  sql: Sql,
  tried: Tried,
  { now, rules }: { now: Temporal.Instant; rules: SignInRules },
): Promise<Wait | null> {
  const start = now.subtract({ minutes: rules.lockMinutes });
  const buckets = bucketsOf(tried, rules).toSorted((a, b) => Buffer.compare(a.subject, b.subject));
  return await sql.begin(async (tx) => {
    const rows = await tx<Counted[]>`
      insert into user_tries as t (subject, tries, since, person)
      select subject, 1, ${now}::timestamptz, person
      from ${recordset(tx, 's (subject bytea, person bytea)', buckets)}
      on conflict (subject) do update set
        tries = case when t.since < ${start}::timestamptz then 1 else t.tries + 1 end,
        since = case when t.since < ${start}::timestamptz then excluded.since else t.since end,
        person = excluded.person
      returning subject, tries, since`;
    await deleteOld(tx, start);
    const full = buckets.flatMap((bucket) => {
      const row = rows.find(({ subject }) => subject.equals(bucket.subject));
      return row && row.tries > bucket.most ? [{ ...row, ...bucket }] : [];
    });
    if (full.length === 0) return null;
    const waits = full.map(({ since }) => Math.ceil(since.since(start).total({ unit: 'seconds' })));
    const begins = full.some(({ tries, most, person }) => person !== null && tries === most + 1);
    return { seconds: Math.max(1, ...waits), begins };
  });
}

/**
 * Uncounts a successful attempt: subtracts one from the shared counters (the network's, and the
 * user's across networks), and resets the others. Locks in counting order, so that concurrent
 * attempts do not deadlock.
 */
export async function forgiveTries(
  sql: Queryable,
  tried: Tried,
  rules: SignInRules,
): Promise<void> {
  const buckets = bucketsOf(tried, rules);
  const shared = buckets.filter(({ most }) => most > rules.tries).map(({ subject }) => subject);
  const own = buckets.filter(({ most }) => most === rules.tries).map(({ subject }) => subject);
  await sql`
    select 1 from user_tries where subject = any(${[...shared, ...own]}::bytea[])
    order by subject for update`;
  await sql`
    update user_tries set tries = greatest(0, tries - 1) where subject = any(${shared}::bytea[])`;
  await sql`delete from user_tries where subject = any(${own}::bytea[])`;
}

/**
 * Resets all attempts for a user, after a password reset or by an operator. Returns the number of
 * counters removed.
 */
export async function releaseTries(
  sql: Queryable,
  { id, emailKey }: { id: number; emailKey: string },
): Promise<number> {
  const persons = [emailKey, `reset ${emailKey}`, `factor ${id}`, `session ${id}`].map(personOf);
  await sql`
    select 1 from user_tries where person = any(${persons}::bytea[]) order by subject for update`;
  const { count } = await sql`delete from user_tries where person = any(${persons}::bytea[])`;
  return count;
}
