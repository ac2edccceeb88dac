import { expect, test } from 'vitest';
import { errorAnswer } from '../../../src/platform/http/answers.ts';
import type { Transaction } from '../../../src/platform/postgres/connect.ts';
import { createTestDatabase } from '../../harness/database.ts';

test('reports to the loser of a deadlock that nothing was done and that a retry is safe', async () => {
  const database = await createTestDatabase({ migrated: false });
  try {
    await database.sql`create table things (id int primary key)`;
    await database.sql`insert into things values (1), (2)`;
    const hold = (tx: Transaction, id: number) =>
      tx`select from things where id = ${id} for update`;
    const bothHold = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const inOrder = (first: number, second: number, own: number) =>
      database.sql.begin(async (tx) => {
        await hold(tx, first);
        bothHold[own]?.resolve();
        await Promise.all(bothHold.map(({ promise }) => promise));
        await hold(tx, second);
      });
    const ends = await Promise.allSettled([inOrder(1, 2, 0), inOrder(2, 1, 1)]);
    const [failure, ...others] = ends.filter((end) => end.status === 'rejected');
    expect(others).toEqual([]);
    expect(errorAnswer(failure?.reason)).toEqual({
      answer: {
        code: 503,
        message:
          'The database aborted this call because it conflicted with another one. Nothing was done: it is safe to retry.',
        error_code: 'call_overruled',
      },
      expected: false,
      retryAfter: 1,
    });
  } finally {
    await database.drop();
  }
});
