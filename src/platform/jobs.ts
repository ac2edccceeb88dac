import type { Base } from './base.ts';
import type { Queryable } from './postgres/connect.ts';
import { withinReach } from './postgres/distributed/owners.ts';

type Fragment = ReturnType<Queryable>;

/**
 * A row that workers take in turns. Its `look_at` is when it is due or, while a worker has it, when
 * the lease ends; null: never.
 */
export interface Job {
  account_id: string;
  id: number;
  state: string;
  /** Attempts since the last successful step, including this one. */
  tries: number;
}

/** A table of jobs, and how a row of these columns becomes a job. */
export interface JobTable<J extends Job, Row extends object> {
  name: string;
  columns(sql: Queryable): Fragment;
  jobOf(row: Row): J;
}

/** If a worker goes silent for this long, another takes over. */
const lease = { seconds: 5 } as const;

/** Jobs per round. */
const dueAtOnce = 100;

/** Consecutive failures, about an hour, after which a job is given up. */
export const mostTries = 20;

/** Backoff in seconds: doubles each time, up to five minutes. */
const pauseAfter = (tries: number): number => Math.min(5 * 2 ** Math.min(tries - 1, 8), 300);

/** Returns when a lease taken now expires. */
export const leaseEnd = ({ clocks }: Pick<Base, 'clocks'>): Temporal.Instant =>
  clocks.wall.now().add(lease);

/** Due jobs, longest waiting first. */
const dueJobs = (sql: Queryable, table: string, now: Temporal.Instant) =>
  sql<{ account_id: string; id: number }[]>`
    select account_id, id from ${sql(table)} where look_at <= ${now}::timestamptz ${withinReach(sql)}
    order by look_at limit ${dueAtOnce}`;

/** Sets a job's next look, while it is in that state; `done`: a step of it succeeded. */
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
  /** Does the job, or a part of it; if it throws, it is repeated after a pause. */
  step(job: J, signal: AbortSignal): Promise<unknown>;
  /** Ends a job that failed too often; absent for a job that is repeated without limit. */
  giveUp(job: J): (() => Promise<unknown>) | null;
}

/** Returns one round over all due jobs of a table; safe alongside other workers. */
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
