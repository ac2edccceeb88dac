import type { LocalizedText } from '../../language/localized-text.ts';
import type { Base } from '../base.ts';
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../postgres/connect.ts';
import { withinReach } from '../postgres/distributed/owners.ts';

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

/** The parts of a job that a transaction does. */
export interface Parts {
  /** The column with the first part that is not done. */
  cursor: string;
  from: number;
  /** Number of parts, one by default. */
  count?: number;
  /** When the lease ends. */
  until: Temporal.Instant;
  /** Further columns to set. */
  also?: Fragment;
}

/**
 * Takes a job's next parts for the transaction of `tx`, which then does them, so that after a crash
 * the next worker redoes them. Returns false if another worker did, or the job has another state.
 */
export async function takeParts(
  tx: Transaction,
  table: string,
  { account_id, id, state }: Pick<Job, 'account_id' | 'id' | 'state'>,
  { cursor, from, count = 1, until, also }: Parts,
): Promise<boolean> {
  const rows = await tx`
    update ${tx(table)} set ${tx(cursor)} = ${tx(cursor)} + ${count}::int,
      look_at = ${until}::timestamptz, tries = 0 ${also ?? tx``}
    where account_id = ${account_id} and id = ${id} and state = ${state} and ${tx(cursor)} = ${from}
    returning id`;
  return rows.length > 0;
}

/** Returns true for a refusal that a retry cannot fix: the account was suspended or closed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.kind === 'conflict';

export interface RestOfJob {
  /** Does the rest. Returns false if it lost the job, or the signal stopped it. */
  work(): Promise<boolean>;
  /** Ends the job: complete, or with the error that failed it. */
  end(error: string | LocalizedText | null): Promise<unknown>;
  /** True if the error fails the job. By default a conflict does. Others are retried. */
  isFinal?(error: unknown): boolean;
}

/** Does the rest of a job and ends it. A job that the signal stopped is due again at once. */
export async function finishJob(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  table: string,
  { job, signal }: { job: Job; signal: AbortSignal },
  { work, end, isFinal = isConflict }: RestOfJob,
): Promise<void> {
  try {
    if (await work()) await end(null);
    else if (signal.aborted) {
      await lookAgain(sql, table, job, { at: clocks.wall.now(), done: true });
    }
  } catch (error) {
    if (!(error instanceof Error && isFinal(error))) throw error;
    await end((error instanceof Refusal ? error.localized : null) ?? error.message);
  }
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
