import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBase } from '../../src/composition/base.ts';
import { createLog } from '../../src/platform/log.ts';
import { sentStatements } from '../../src/platform/postgres/connection.ts';
import { replaceSecrets } from '../../src/webhooks/index.ts';
import { testOperator } from '../harness/actors.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';

const count = 60;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into webhooks (account_id, id, url, event_types, created_at)
    select ${testAccount}, n, 'https://hook.example.com', '{1}', now()
    from generate_series(1, ${count}::int) n`;
});
afterAll(() => database.drop());

test('replaces the secrets of all webhooks with a few statements, one event each', async () => {
  const { base } = await createBase(database.sql, createLog('silent'));
  await base.recordIds.next();
  const sent: unknown[] = [];
  const hear = (text: unknown): void => void sent.push(text);
  sentStatements.subscribe(hear);
  try {
    await base.sql.begin((tx) => replaceSecrets(base, testOperator)(tx, 2));
  } finally {
    sentStatements.unsubscribe(hear);
  }
  expect(sent.length).toBeLessThan(10);
  expect(
    await database.sql`
      select w.id from webhooks w join events e on e.account_id = w.account_id
        and e.entity = 'webhook' and e.entity_id = w.id::text and e.type = 'webhook.rotated'
        and e.version = w.secret_no
      where w.secret_key_no = 2 and w.secret_no = 2`,
  ).toHaveLength(count);
});
