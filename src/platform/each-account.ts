import { DatabaseAway } from './errors.ts';
import { createSlots } from './slots.ts';

/** Behind so many accounts for which the database did not answer no further one is begun. */
const mostAway = 3;

/**
 * Does the same for several accounts, told by id or by what is to be done, so many of them at once. One that fails does not keep the
 * others waiting: an AggregateError with these words tells of all failures when all are done.
 */
export async function eachAccount<Account>(
  accounts: readonly Account[],
  { atOnce, failed }: { atOnce: number; failed: string },
  work: (account: Account) => Promise<unknown>,
): Promise<void> {
  const slots = createSlots(atOnce);
  const failures: unknown[] = [];
  const isAway = (): boolean =>
    failures.filter((error) => error instanceof DatabaseAway).length >= mostAway;
  const one = async (account: Account): Promise<void> => {
    if (isAway()) return;
    await work(account).catch((error) => failures.push(error));
  };
  await Promise.all(accounts.map((account) => slots.run(() => one(account))));
  if (failures.length > 0) throw new AggregateError(failures, failed);
}
