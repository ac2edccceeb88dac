import { expect, test } from 'vitest';
import { eachAccount } from '../../src/platform/each-account.ts';
import { DatabaseAway } from '../../src/platform/errors.ts';

const accounts = ['A', 'B', 'C', 'D', 'E'];
const how = { atOnce: 2, failed: 'Some failed.' };

test('each account has its turn, never more at once than told', async () => {
  const done: string[] = [];
  let running = 0;
  let most = 0;
  await eachAccount(accounts, how, async (accountId) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done.push(accountId);
  });
  expect([done.toSorted(), most]).toEqual([accounts, 2]);
});

test('one that fails keeps nobody waiting, and all failures are told with whose they are', async () => {
  const done: string[] = [];
  const work = async (accountId: string): Promise<void> => {
    if ('BD'.includes(accountId)) throw new Error('no');
    done.push(accountId);
  };
  const failure = await eachAccount(accounts, how, work).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({
    message: 'Some failed.',
    errors: [
      { message: 'of account B', cause: { message: 'no' } },
      { message: 'of account D', cause: { message: 'no' } },
    ],
  });
  expect(done).toEqual(['A', 'C', 'E']);
});

test('where the database does not answer for some, the others are left to the next time', async () => {
  const begun: string[] = [];
  const away = async (accountId: string): Promise<void> => {
    begun.push(accountId);
    if (accountId !== 'B') throw new DatabaseAway('57P01', accountId, 'unknown');
  };
  await expect(eachAccount(accounts, { ...how, atOnce: 1 }, away)).rejects.toThrow('Some failed.');
  expect(begun).toEqual(['A', 'B', 'C', 'D']);
});

test('of no account nothing is done', async () => {
  await eachAccount([], how, () => Promise.reject(new Error('never')));
});
