import { expect, test } from 'vitest';
import { eachAccount } from '../../src/platform/each-account.ts';
import { DatabaseAway } from '../../src/platform/errors.ts';
import { errorAnswer } from '../../src/platform/http/answers.ts';

const accounts = ['A', 'B', 'C', 'D', 'E'];
const how = { atOnce: 2, failed: 'Some failed.' };

test('gives each account its turn, never exceeding the concurrency limit', async () => {
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

test('isolates a failing account, and names the account of every failure', async () => {
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

test('leaves other accounts for the next run if the database fails for some', async () => {
  const begun: string[] = [];
  const away = async (accountId: string): Promise<void> => {
    begun.push(accountId);
    if (accountId !== 'B') throw new DatabaseAway('57P01', accountId, 'unknown');
  };
  const failure = await eachAccount(accounts, { ...how, atOnce: 1 }, away).catch(
    (error: unknown) => error,
  );
  expect(begun).toEqual(['A', 'B', 'C', 'D']);
  expect(errorAnswer(failure).answer.code).toBe(503);
  expect(failure).toMatchObject({
    message: 'Some failed.',
    cause: { errors: ['A', 'C', 'D'].map((id) => ({ message: `of account ${id}` })) },
  });
});

test('reports every failure along with a database failure', async () => {
  const failure = await eachAccount(accounts, how, async (accountId) => {
    if (accountId === 'C') throw new Error('no');
    throw new DatabaseAway('57P01', accountId, 'nothing done');
  }).catch((error: unknown) => error);
  expect(errorAnswer(failure)).toMatchObject({ answer: { code: 500 }, expected: false });
});

test('does nothing without accounts', async () => {
  await eachAccount([], how, () => Promise.reject(new Error('never')));
});
