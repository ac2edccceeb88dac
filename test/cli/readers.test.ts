import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { program } from '../harness/built.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testVaultKeys } from '../harness/keys.ts';

// Each command is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
});
afterAll(() => database.drop());

/** Runs a command whose output goes to `stdout`; null closes the pipe before the command writes. */
async function run(args: string[], stdout: number | null) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, DATABASE_URL: database.url, VAULT_KEYS: testVaultKeys },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (bytes) => {
    stderr += bytes;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

test('finishes a command silently if its reader closed the pipe', async () => {
  const listed = await run(['accounts', 'list'], null);
  const added = await run(['calendar', 'add', '29-12-2026'], null);
  expect([listed, added]).toEqual(Array(2).fill({ code: 0, stderr: '' }));
  expect(await database.sql`select day::text from calendar_days`).toEqual([{ day: '2026-12-29' }]);
});

test.runIf(process.platform === 'linux')(
  'fails and reports the error if its output cannot be written',
  async () => {
    const full = await open('/dev/full', 'w');
    const lost = await run(['accounts', 'list'], full.fd);
    const json = await run(['accounts', 'list', '--json'], full.fd);
    await full.close();
    const message = 'Writing the output failed: ENOSPC: no space left on device, write';
    expect(lost).toEqual({ code: 1, stderr: `error: ${message}\n` });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stderr)).toEqual({ error: 'failed', message });
  },
);
