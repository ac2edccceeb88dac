import type { Base } from './base.ts';
import type { Queryable } from './postgres/connect.ts';
import { withinReach } from './postgres/distributed/owners.ts';

type Fragment = ReturnType<Queryable>;

/**
 * A row that workers lease. `look_at` is when it is due, or when its lease expires. Null if it is
 * never due again.
 */
export interface Job {
  account_id: string;
  id: number;
  state: string;
  /** Attempts since the last successful step, including this one. */
  tries: number;
}

/** A table of jobs. `columns` selects the columns that `jobOf` converts into a job. */
export interface JobTable<J extends Job, Row extends object> {
  name: string;
  columns(sql: Queryable): Fragment;
  jobOf(row: Row): J;
}

/** Another worker takes over a job when its worker has been silent for this long. */
const lease = { seconds: 5 } as const;

/** Jobs per round. */
const dueAtOnce = 100;

/** Consecutive failures, over more than an hour, before a job is abandoned. */
export const mostTries = 20;

/** Returns the seconds until the next try: they double each time, up to five minutes. */
const pauseAfter = (tries: number): number => Math.min(5 * 2 ** Math.min(tries - 1, 8), 300);

/** Returns when a lease taken now expires. */
export const leaseEnd = ({ clocks }: Pick<Base, 'clocks'>): Temporal.Instant =>
  clocks.wall.now().add(lease);

/** Selects due jobs, longest waiting first. */
const dueJobs = (sql: Queryable, table: string, now: Temporal.Instant) =>
  sql<{ account_id: string; id: number }[]>`
    select account_id, id from ${sql(table)} where look_at <= ${now}::timestamptz ${withinReach(sql)}
    order by look_at limit ${dueAtOnce}`;

/**
 * Schedules a job's next step unless its state has changed. `done` resets the count of failures.
 */
export async function lookAgain(
  sql: Queryable,
  table: string,
  { account_id, id, state }: Job,
  { at, done }: { at: Temporal.Instant | null; done: boolean },
): Promise<void> {
  await sql`
    update ${sql(table)} set look_at = ${at}::timestamptz,
      tries = case when ${done} then 0 else tries end
    where account_id = ${account_id} and id = ${id} and state = ${state} and look_at is not null`;
}

export interface JobWork<J extends Job> {
  /** Performs the next step of a job. If it throws, the job is retried after a pause. */
  step(job: J, signal: AbortSignal): Promise<unknown>;
  /** Returns how to end a job that failed too often, or null if it is retried without limit. */
  giveUp(job: J): (() => Promise<unknown>) | null;
}

/** Returns a function that runs one step of every due job. Safe alongside other workers. */
export const jobRound = <J extends Job, Row extends object>(
  base: Pick<Base, 'sql' | 'clocks' | 'log'>,
  { name, columns, jobOf }: JobTable<J, Row>,
  { step, giveUp }: JobWork<J>,
) => {
  const { sql, log } = base;
  const { wall } = base.clocks;
  const claim = async (accountId: string, id: number): Promise<J | null> => {
    const [row] = await sql<Row[]>`
      update ${sql(name)} set look_at = ${leaseEnd(base)}::timestamptz, tries = tries + 1
      where account_id = ${accountId} and id = ${id} and look_at <= ${wall.now()}::timestamptz
      returning ${columns(sql)}`;
    return row === undefined ? null : jobOf(row);
  };
  const attempt = async (job: J, signal: AbortSignal): Promise<void> => {
    try {
      await step(job, signal);
    } catch (error) {
      log.error({ err: error, table: name, job: job.id }, 'a job failed and will be repeated');
      const at = wall.now().add({ seconds: pauseAfter(job.tries) });
      await lookAgain(sql, name, job, { at, done: false });
    }
  };
  return async (signal: AbortSignal): Promise<void> => {
    for (const { account_id, id } of await dueJobs(sql, name, wall.now())) {
      if (signal.aborted) return;
      const job = await claim(account_id, id);
      if (!job) continue;
      const end = job.tries > mostTries ? giveUp(job) : null;
      await (end === null ? attempt(job, signal) : end());
    }
  };
};
