import { createSlots } from './slots.ts';

/**
 * Does the same for several accounts, so many of them at once. One that fails does not keep the
 * others waiting: an AggregateError with these words tells of all failures when all are done.
 */
export async function eachAccount(
  accountIds: readonly string[],
  { atOnce, failed }: { atOnce: number; failed: string },
  work: (accountId: string) => Promise<unknown>,
): Promise<void> {
  const slots = createSlots(atOnce);
  const failures: unknown[] = [];
  const one = (accountId: string) => work(accountId).catch((error) => failures.push(error));
  await Promise.all(accountIds.map((accountId) => slots.run(() => one(accountId))));
  if (failures.length > 0) throw new AggregateError(failures, failed);
}
