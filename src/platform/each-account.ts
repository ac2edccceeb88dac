import { DatabaseAway, isConnectionFailure, isOverruled } from './errors.ts';
import { createSlots } from './slots.ts';

/** Stops after the database has failed to answer for this many accounts. */
const mostAway = 3;

/** Collects failures of accounts, or of their records, while the others continue. */
export class Failures {
  /** By account, or by account and record. */
  readonly #causes = new Map<string, unknown>();
  /** Accounts whose database failed to answer. */
  readonly #away = new Set<string>();

  add(accountId: string, cause: unknown, recordId?: number): void {
    this.#causes.set(recordId === undefined ? accountId : `${accountId}, id ${recordId}`, cause);
    if (cause instanceof DatabaseAway) this.#away.add(accountId);
  }

  has(accountId: string): boolean {
    return this.#causes.has(accountId);
  }

  get none(): boolean {
    return this.#causes.size === 0;
  }

  /** Returns true if the database is down, so that the remaining accounts are skipped. */
  get isAway(): boolean {
    return this.#away.size >= mostAway;
  }

  /** Returns true if the account's database is down, so that its other records are skipped. */
  isAwayFor(accountId: string): boolean {
    return this.#away.has(accountId);
  }

  /**
   * Merges failures into one error with this message. If all come from the database, it is a
   * `DatabaseAway`, so that callers answer 503 instead of 500.
   */
  toError(failed: string): Error {
    const all = new AggregateError(
      [...this.#causes].map(([of, cause]) => new Error(`of account ${of}`, { cause })),
      failed,
    );
    const causes = [...this.#causes.values()];
    if (!causes.every((cause) => isConnectionFailure(cause) || isOverruled(cause))) return all;
    const isUnknown = causes.some(
      (cause) => cause instanceof DatabaseAway && cause.outcome === 'unknown',
    );
    const [{ code }] = causes as [{ code: string }];
    return new DatabaseAway(code, failed, isUnknown ? 'unknown' : 'nothing done', all);
  }
}

type Account = string | { account_id: string; id?: number };

/** Runs work for an account or record, and collects its failure. Skips it if its database is down. */
async function attempt<A extends Account>(
  account: A,
  failures: Failures,
  work: (account: A) => Promise<unknown>,
): Promise<void> {
  const { account_id: accountId, id } =
    typeof account === 'string' ? { account_id: account } : account;
  if (failures.isAway || failures.isAwayFor(accountId)) return;
  await work(account).catch((error) => failures.add(accountId, error, id));
}

/**
 * Runs work for several accounts, or for records of accounts, with bounded concurrency. A failing
 * one does not stop the others. Skips the rest once the database is down, because each call would
 * wait for a connection until its deadline. Throws one error for all failures at the end
 * (`Failures`).
 */
export async function eachAccount<A extends Account>(
  accounts: readonly A[],
  { atOnce, failed }: { atOnce: number; failed: string },
  work: (account: A) => Promise<unknown>,
): Promise<void> {
  const slots = createSlots(atOnce);
  const failures = new Failures();
  await Promise.all(accounts.map((account) => slots.run(() => attempt(account, failures, work))));
  if (!failures.none) throw failures.toError(failed);
}

/**
 * As `eachAccount`, one record at a time, for records that are read in pages. `read` returns up to
 * `most` records after the given one, so that a page of failures does not block the next.
 */
export async function eachOfPages<A extends Account>(
  { most, failed }: { most: number; failed: string },
  read: (after: A | null) => Promise<A[]>,
  work: (record: A) => Promise<unknown>,
): Promise<void> {
  const failures = new Failures();
  let page: A[] = [];
  do {
    page = await read(page.at(-1) ?? null);
    for (const record of page) await attempt(record, failures, work);
  } while (page.length === most && !failures.isAway);
  if (!failures.none) throw failures.toError(failed);
}
