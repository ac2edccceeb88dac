import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startServing } from './run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('npm start passes SIGTERM on: the service drains, ends with 0, and nothing stays behind', async () => {
  // Without its build, which is done and which other tests rely on meanwhile.
  const serving = await startServing({ DATABASE_URL: database.url }, [
    'npm',
    'start',
    '--ignore-scripts',
  ]);
  expect((await fetch(`${serving.origin}/healthz`)).status).toBe(200);
  expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await expect(fetch(`${serving.origin}/healthz`)).rejects.toThrow();
});
