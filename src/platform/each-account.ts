import { DatabaseAway, isConnectionFailure, isOverruled } from './errors.ts';
import { createSlots } from './slots.ts';

/** Stops after the database has failed to answer for this many accounts. */
const mostAway = 3;

/** Collects accounts' failures while the others continue. */
export class Failures {
  readonly #causes = new Map<string, unknown>();

  add(accountId: string, cause: unknown): void {
    this.#causes.set(accountId, cause);
  }

  has(accountId: string): boolean {
    return this.#causes.has(accountId);
  }

  get none(): boolean {
    return this.#causes.size === 0;
  }

  /** Returns true if the database is down, so that the remaining accounts are skipped. */
  get isAway(): boolean {
    const causes = [...this.#causes.values()];
    return causes.filter((cause) => cause instanceof DatabaseAway).length >= mostAway;
  }

  /**
   * Merges failures into one error with this message. If all come from the database, it is a
   * `DatabaseAway`, so that callers answer 503 instead of 500.
   */
  toError(failed: string): Error {
    const all = new AggregateError(
      [...this.#causes].map(([id, cause]) => new Error(`of account ${id}`, { cause })),
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

type Account = string | { account_id: string };

const idOf = (account: Account): string =>
  typeof account === 'string' ? account : account.account_id;

/**
 * Runs work for several accounts with bounded concurrency. A failing account does not delay the
 * others, unless the database is down. Throws one error for all failures at the end (`Failures`).
 */
export async function eachAccount<A extends Account>(
  accounts: readonly A[],
  { atOnce, failed }: { atOnce: number; failed: string },
  work: (account: A) => Promise<unknown>,
): Promise<void> {
  const slots = createSlots(atOnce);
  const failures = new Failures();
  const one = async (account: A): Promise<void> => {
    if (failures.isAway) return;
    await work(account).catch((error) => failures.add(idOf(account), error));
  };
  await Promise.all(accounts.map((account) => slots.run(() => one(account))));
  if (!failures.none) throw failures.toError(failed);
}
