import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { configuredVault } from '../../src/composition/keys.ts';
import { rotateKeys } from '../../src/secrets/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { adhesionBody, signingUrl } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';
import { registration } from '../webhooks/account.ts';

let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  env = { DATABASE_URL: service.databaseUrl, VAULT_KEYS: testVaultKeys };
});
afterAll(() => service.stop());

const pathOf = (url: string): string => new URL(url).pathname;
const keyNoOf = (url: string): string => url.split('/').at(-1)?.split('-')[2] ?? '';

async function created(fields: Record<string, unknown> = {}) {
  const { body } = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service, fields),
  });
  return body as { id: number; checkout_url: string; pdf_url: string; barcode_url: string };
}

const statusOf = async (url: string): Promise<number> =>
  (await service.call('GET', pathOf(url), { key: null })).status;

const advance = (days: number) =>
  service.call('POST', '/sandbox/clock', { body: { days } }).then(({ body }) => body);

/** Runs `secrets rotate links`, without the waiting time before its key is used. */
async function rotateLinks(): Promise<void> {
  const { base, clocks, refreshKeys } = service.service.parts;
  const vault = await configuredVault(service.config);
  const { no } = await rotateKeys({ ...base, actor: testOperator, vault }, 'links', {
    retireNow: false,
  });
  await service.sql`update service_keys set used_from = ${clocks.wall.now()} where no = ${no}`;
  await refreshKeys();
}

test('keeps a printed coupon valid after a rotation, and erases its key ninety days after the coupon expires', async () => {
  const before = await created();
  expect(keyNoOf(before.checkout_url)).toBe('1');
  await rotateLinks();
  const after = await created();
  expect(keyNoOf(after.checkout_url)).toBe('2');
  for (const url of [before.checkout_url, before.pdf_url, before.barcode_url]) {
    expect(await statusOf(url)).toBe(200);
  }
  const { body } = await service.call('GET', `/payment-request/${before.id}`);
  expect(keyNoOf(body.checkout_url)).toBe('2');
  await advance(60);
  expect(await statusOf(before.checkout_url)).toBe(200);
  const { happened } = await advance(42);
  expect(happened).toContainEqual({ what: 'keys retired', count: 1 });
  await vi.waitFor(async () => expect(await statusOf(before.checkout_url)).toBe(404));
  expect(await statusOf(body.checkout_url)).toBe(200);
  const [row] = await service.sql`
    select ciphertext, vault_key_id from service_keys where purpose = 'links' and no = 1`;
  expect(row).toEqual({ ciphertext: null, vault_key_id: null });
});

test('keeps the link key of a static QR’s printed image', async () => {
  const { body, status, text } = await service.call('POST', '/create-qr', {
    body: {
      id: 'wall',
      qr_type: 'static_open_amount',
      qr_name: 'Caja 1',
      city: 'Rosario',
      postal_code: '2000',
      multiple_payment: 'true',
      description: 'Mostrador',
      payer_name: 'Quien sea',
    },
  });
  expect(status, text).toBe(201);
  await rotateLinks();
  const { happened } = await advance(400);
  expect(happened).not.toContainEqual(expect.objectContaining({ what: 'keys retired' }));
  expect(await statusOf(body.image_url)).toBe(200);
});

test('disables a leaked link key with --retire-now, after listing the consequences', async () => {
  const { checkout_url } = await created();
  const { body: adhesion } = await service.call('POST', '/adhesion', {
    body: adhesionBody({ email: 'ana+nosign@example.com' }),
  });
  const letter = signingUrl(service, 'adhesion', adhesion.id);
  const asked = await recaudo(['secrets', 'rotate', 'links', '--retire-now'], env);
  expect(asked.code).toBe(1);
  expect(asked.stderr).toContain('All existing links stop working');
  expect(asked.stderr).toContain('--yes');
  expect(await statusOf(checkout_url)).toBe(200);

  const done = await recaudo(['secrets', 'rotate', 'links', '--retire-now', '--yes'], env);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  await vi.waitFor(async () => expect(await statusOf(checkout_url)).toBe(404), 10_000);
  expect(await statusOf(letter)).toBe(404);
  expect(await statusOf((await created()).checkout_url)).toBe(200);
  expect(await statusOf(signingUrl(service, 'adhesion', adhesion.id))).toBe(200);
  const listed = await recaudo(['secrets', 'list', '--json'], env);
  const links = JSON.parse(listed.stdout).filter(
    (key: { purpose: string }) => key.purpose === 'links',
  );
  expect(links.map((key: { state: string }) => key.state)).toEqual([
    'current',
    'retired',
    'retired',
    'retired',
  ]);
}, 60_000);

test('disables a leaked webhook key with --retire-now, and gives each webhook a new secret', async () => {
  const headers = { 'Idempotency-Key': 'the first secret' };
  const body = registration('http://127.0.0.1:9/');
  const { body: hook } = await service.call('POST', '/webhook', { body, headers });
  const rotate = () => service.call('POST', `/webhook/${hook.id}/rotate-secret`);
  const asked = await recaudo(['secrets', 'rotate', 'webhooks', '--retire-now'], env);
  expect(asked.stderr).toContain('secrets of 1 webhooks change immediately');
  expect((await rotate()).body.previous_secret_expires_at).toBeDefined();

  const done = await recaudo(['secrets', 'rotate', 'webhooks', '--retire-now', '--yes'], env);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const { body: now } = await rotate();
  expect(now.secret).not.toBe(hook.secret);
  expect(now).not.toHaveProperty('previous_secret_expires_at');
  expect((await rotate()).body.secret).toBe(now.secret);
  const replayed = await service.call('POST', '/webhook', { body, headers });
  expect(replayed.status).toBe(409);
  expect(replayed.body.message).toContain(`/webhook/${hook.id}/rotate-secret`);
  const [row] = await service.sql`
    select secret_key_no, previous_key_no, secret_no from webhooks where id = ${hook.id}`;
  expect(row).toEqual({ secret_key_no: 2, previous_key_no: null, secret_no: 3 });
}, 60_000);

test('keeps each webhook’s secret after a key rotation until its account rotates it', async () => {
  const body = registration('http://127.0.0.1:9/other');
  const headers = { 'Idempotency-Key': 'another secret' };
  const { body: hook } = await service.call('POST', '/webhook', { body, headers });
  expect((await recaudo(['secrets', 'rotate', 'webhooks'], env)).code).toBe(0);
  const { wall } = service.service.parts.clocks;
  await service.sql`
    update service_keys set used_from = ${wall.now()} where purpose = 'webhooks' and no = 3`;
  expect((await service.call('POST', '/webhook', { body, headers })).body).toEqual(hook);
  const { body: rotated } = await service.call('POST', `/webhook/${hook.id}/rotate-secret`);
  const [row] = await service.sql`
    select secret_key_no, previous_key_no from webhooks where id = ${hook.id}`;
  expect(row).toEqual({ secret_key_no: 3, previous_key_no: 2 });
  expect(rotated.secret).not.toBe(hook.secret);
}, 60_000);
