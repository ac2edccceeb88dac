import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { type Service, serve } from '../../src/main.ts';
import { createLog } from '../../src/platform/log.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { type FaultProxy, openProxy } from '../harness/proxy.ts';
import { call, startService, type TestService, testAccount, testKey } from '../harness/service.ts';

/** A second process that only serves calls and receives no notification. */

let service: TestService;
let proxy: FaultProxy;
let files: string;
let deaf: Service;
beforeAll(async () => {
  service = await startService();
  proxy = await openProxy(service.databaseUrl);
  proxy.behave('hang up');
  files = await mkdtemp(path.join(tmpdir(), 'recaudo-test-files-'));
  const config = readConfig({
    DATABASE_URL: service.databaseUrl,
    DATABASE_DIRECT_URL: proxy.url,
    DATABASE_POOL: '8',
    DATA_DIR: files,
    PORT: '0',
    METRICS_PORT: '0',
    ROLES: 'payments,qr,web',
    SANDBOX_API_KEY: testKey,
    SANDBOX_ACCOUNT_ID: testAccount,
    VAULT_KEYS: testVaultKeys,
  });
  deaf = await serve(config, createLog('silent'));
});
afterAll(async () => {
  await deaf.stop();
  await proxy.close();
  await service.stop();
  await rm(files, { recursive: true, force: true });
});

test('follows the sandbox’s clock without database notifications', async () => {
  const moved = await service.call('POST', '/sandbox/clock', { body: { hours: 30 } });
  expect(moved.status).toBe(200);
  await vi.waitFor(async () => {
    const { body } = await call(deaf.origin, 'GET', '/sandbox/clock');
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse(moved.body.now));
  });
});
