import { hash } from 'node:crypto';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';

/** Tries to prove who one is are counted before they are looked at: so two at once are two. */

/** How often it may be tried within a window, from one network and for one person. */
const windowMinutes = 15;
const most = { address: 50, person: 10 } as const;

type Of = keyof typeof most;

const subjectOf = (of: Of, name: string): Buffer => hash('sha256', `${of} ${name}`, 'buffer');

export interface Tried {
  /** The network that a try comes from. */
  address: string;
  /** Whom it is for: an address of mail, whether somebody has it or not, or who is signed in. */
  person: string;
}

const mostForgotten = 100;

async function forgetOld(sql: Queryable, before: Temporal.Instant): Promise<void> {
  await sql`
    delete from user_tries where subject in (
      select subject from user_tries where since < ${before}::timestamptz
      order by since limit ${mostForgotten} for update skip locked)`;
}

/** Counts a try. Null: it may be looked at; else the seconds until another one may. */
export async function countTry(
  sql: Sql,
  { address, person }: Tried,
  now: Temporal.Instant,
): Promise<number | null> {
  const start = now.subtract({ minutes: windowMinutes });
  const limits = [
    { subject: subjectOf('address', address), most: most.address },
    { subject: subjectOf('person', person), most: most.person },
  ].toSorted((a, b) => Buffer.compare(a.subject, b.subject));
  return await sql.begin(async (tx) => {
    const rows = await tx<{ subject: Buffer; tries: number; since: Temporal.Instant }[]>`
      insert into user_tries as t (subject, tries, since)
      select subject, 1, ${now}::timestamptz
      from unnest(${limits.map(({ subject }) => subject)}::bytea[]) as s (subject)
      on conflict (subject) do update set
        tries = case when t.since < ${start}::timestamptz then 1 else t.tries + 1 end,
        since = case when t.since < ${start}::timestamptz then excluded.since else t.since end
      returning subject, tries, since`;
    await forgetOld(tx, start);
    const full = rows.filter(({ subject, tries }) => {
      const limit = limits.find((one) => one.subject.equals(subject));
      return limit !== undefined && tries > limit.most;
    });
    const waits = full.map(({ since }) => Math.ceil(since.since(start).total({ unit: 'seconds' })));
    return waits.length === 0 ? null : Math.max(1, ...waits);
  });
}

/**
 * Who was right has all his tries again, and the network that he came from has this one. Held in the
 * order in which tries are counted: of the same person's others none waits in a ring.
 */
export async function forgiveTries(sql: Queryable, { address, person }: Tried): Promise<void> {
  const subjects = [subjectOf('address', address), subjectOf('person', person)];
  await sql`
    select 1 from user_tries where subject = any(${subjects}::bytea[])
    order by subject for update`;
  await sql`
    update user_tries set tries = greatest(0, tries - 1)
    where subject = ${subjectOf('address', address)}`;
  await sql`delete from user_tries where subject = ${subjectOf('person', person)}`;
}
