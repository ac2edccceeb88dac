import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { program } from '../harness/built.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startServing } from './run.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('forwards SIGTERM to the service, which exits with 0 and stops answering', async () => {
  // Skips the build, because other tests use its output.
  const serving = await startServing({ DATABASE_URL: database.url }, [
    'npm',
    'start',
    '--ignore-scripts',
  ]);
  expect((await fetch(`${serving.origin}/healthz`)).status).toBe(200);
  expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await expect(fetch(`${serving.origin}/healthz`)).rejects.toThrow();
});

test('prints the command for a new key on a second start, and an example that works', async () => {
  const env = { DATABASE_URL: database.url, SANDBOX_API_KEY: '', SANDBOX_ACCOUNT_ID: '' };
  const first = await startServing(env);
  await first.end('SIGTERM');
  const serving = await startServing(env);
  try {
    const lines = serving.output().split('\n');
    const after = (label: string) =>
      lines
        .find((line) => line.startsWith(label))
        ?.slice(label.length)
        .trim() ?? '';
    expect(after('account')).toMatch(/^[0-9A-F]{8}$/);
    expect(after('API key')).not.toContain('rk_test_');
    const recaudo = `"${process.execPath}" "${program}"`;
    const makesKey = after('get a key').replace('npx recaudo', recaudo);
    expect(makesKey).toContain(`keys create --account ${after('account')}`);
    const { PATH = '', HOME = '' } = process.env;
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-c', `${makesKey}\n${after('try')}`],
      {
        env: { PATH, HOME, DATABASE_URL: database.url, VAULT_KEYS: testVaultKeys },
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ type: 'payment_request', state: 'pending' });
  } finally {
    await serving.end('SIGTERM');
  }
});
