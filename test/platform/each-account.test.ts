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

test('skips the remaining accounts after the database failed for three, and answers 503', async () => {
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

const records = [
  ...[1, 2, 3, 4].map((id) => ({ account_id: 'A', id })),
  ...[5, 6].map((id) => ({ account_id: 'B', id })),
];

test('names each failing record of an account', async () => {
  const failure = await eachAccount(records, how, async ({ id }) => {
    if (id !== 2 && id !== 6) throw new Error(`no ${id}`);
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    errors: [
      { message: 'of account A, id 1', cause: { message: 'no 1' } },
      { message: 'of account A, id 3', cause: { message: 'no 3' } },
      { message: 'of account A, id 4', cause: { message: 'no 4' } },
      { message: 'of account B, id 5', cause: { message: 'no 5' } },
    ],
  });
});

test('skips the remaining records of an account for which the database fails', async () => {
  const begun: number[] = [];
  const failure = await eachAccount(records, { ...how, atOnce: 1 }, async ({ account_id, id }) => {
    begun.push(id);
    if (account_id === 'A' && id > 1) throw new DatabaseAway('57P01', account_id, 'nothing done');
  }).catch((error: unknown) => error);
  expect(begun).toEqual([1, 2, 5, 6]);
  expect(failure).toMatchObject({ cause: { errors: [{ message: 'of account A, id 2' }] } });
});

test('reports an unexpected error (500) rather than the database failures of other accounts', async () => {
  const failure = await eachAccount(accounts, how, async (accountId) => {
    if (accountId === 'C') throw new Error('no');
    throw new DatabaseAway('57P01', accountId, 'nothing done');
  }).catch((error: unknown) => error);
  expect(errorAnswer(failure)).toMatchObject({ answer: { code: 500 }, expected: false });
});

test('does nothing without accounts', async () => {
  await eachAccount([], how, () => Promise.reject(new Error('never')));
});
