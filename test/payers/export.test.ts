import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportPerson } from '../../src/payers/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';

const email = 'zoraida@example.com';
const count = 3_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at, ended_at)
    select ${testAccount}, n, ${email}, 'subject', 'body', 'sent', 1, now(), now()
    from generate_series(1, ${count}::int) n`;
});
afterAll(() => database.drop());

test('exports a person with thousands of e-mails in small pieces', async () => {
  const person = { cuit: '23314445554', emails: [email] };
  const pieces: string[] = [];
  for await (const piece of exportPerson(database.sql, [testAccount], person, 'now')) {
    pieces.push(piece);
  }
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000);
  const document = JSON.parse(pieces.join(''));
  const { mails } = document.accounts[0];
  expect(mails.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
});
