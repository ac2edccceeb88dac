import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readBankConfig } from '../../connectors/bank/config.ts';
import { bank } from '../../connectors/bank/connector.ts';
import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import { startBank } from '../../connectors/bank/emulator/emulator.ts';
import type { Listening } from '../../connectors/protocol/http.ts';
import { serve } from '../../connectors/protocol/serve.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { type Created, create, open, read } from '../checkout/payer.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { newSecret } from './caller.ts';

// Runs the service, the bank's connector and the bank's emulator, as in a deployment.

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let folder: string;
let emulator: Listening;
let connector: Listening;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-bank-'));
  const login = { username: 'user', password: 'password', account: '20-1-1' };
  const place = { host: '127.0.0.1', port: 0, dataDir: path.join(folder, 'bank') };
  emulator = await startBank({ ...place, ...login, payerMs: 300 });
  const [port, secret] = [await freePort('127.0.0.1'), newSecret()];
  const env = {
    CONNECTOR_PORT: '0',
    CONNECTOR_SECRET: secret,
    CONNECTOR_DATA_DIR: path.join(folder, 'connector'),
    CONNECTOR_SERVICE_URL: `http://127.0.0.1:${port}`,
    BANK_URL: `${emulator.origin}/v1`,
    BANK_USERNAME: login.username,
    BANK_PASSWORD: login.password,
    BANK_ACCOUNT: login.account,
    BANK_PREFIX: 'T1',
    BANK_NOTICE_SECRET: 'n'.repeat(32),
  };
  expect(() => readBankConfig({ ...env, BANK_CERT_FILE: import.meta.filename })).toThrow(
    'BANK_CERT_FILE and BANK_KEY_FILE must be set together.',
  );
  const config = readBankConfig(env);
  connector = await serve(bank(config), config);
  const attached = {
    name: 'bank',
    url: connector.origin,
    secrets: [secret],
    channels: ['DEBIN', 'wire_transfer'],
  };
  service = await startService({
    PORT: String(port),
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([attached]),
  });
});
afterAll(async () => {
  await service?.stop();
  await connector?.stop();
  await emulator?.stop();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

/** CBUs whose holders accept after a while, or never act. */
const accepts = '2850590940090418135201';
const waits = '2850590940090418100050';

async function ordered(account: string) {
  const made = await create(service);
  const posted = await fetch(service.origin + made.path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ channel: 'DEBIN', account, holder_cuit: '20251234567' }),
  });
  expect([posted.status, posted.headers.get('location')]).toEqual([303, made.path]);
  return made;
}

const happens = (what: string, body: object): Promise<Response> =>
  fetch(`${emulator.origin}/emulator/${what}`, { method: 'POST', body: JSON.stringify(body) });

const stateOf = async (made: Created): Promise<string> => (await read(service, made)).state;

test('credits an accepted DEBIN on the bank’s notice, and reverses it when the payer disowns it', async () => {
  const made = await ordered(accepts);
  await expect.poll(() => stateOf(made), { timeout: 60_000 }).toBe('paid');
  const { request_result: results } = await read(service, made);
  const id = results[0].payment_metadata.reference;
  expect(results).toMatchObject([{ channel: 'DEBIN' }]);
  await happens('refund', { id });
  await expect.poll(() => stateOf(made), { timeout: 60_000 }).toBe('reverted');
});

test('keeps an unanswered DEBIN pending, and orders no second one', async () => {
  const made = await ordered(waits);
  const again = await fetch(service.origin + made.path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ channel: 'DEBIN', account: waits, holder_cuit: '20251234567' }),
  });
  expect(again.status).toBe(409);
  expect(await stateOf(made)).toBe('pending');
});

test('gives a request a CVU of the bank, books transfers to it, and ignores a reversal', async () => {
  const made = await create(service);
  const { html } = await open(service.origin, made.path);
  const cvu = cvuFor(`${made.id}`);
  expect(html).toContain(`data-copy="${cvu}"`);
  const transfer = { id: 'COELSA1', cvu, amount: 1430.5, cuit: '20251234567', name: 'Ana' };
  await happens('transfer', transfer);
  await expect.poll(() => stateOf(made), { timeout: 60_000 }).toBe('paid');
  // A reversal concerns a transfer from a CVU, so received money stays.
  await happens('reverse', { id: 'COELSA2', cvu, amount: 1430.5 });
  expect(await stateOf(made)).toBe('paid');
});
