import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openAccount, register } from '../webhooks/account.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';

let service: TestService;
let receiver: Receiver;
let account: { id: string; key: string };
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await openAccount(service);
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** Returns, for each secret, whether it signed the next delivery. */
async function signers(secrets: string[]): Promise<boolean[]> {
  const { key } = account;
  const before = receiver.received.length;
  const body = paymentRequestBody(service);
  const { body: request } = await service.call('POST', '/payment-request', { key, body });
  await service.call('POST', `/sandbox/pay/${request.id}`, { key, body: {} });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), 10_000);
  const got = receiver.received.at(-1);
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {});
      return true;
    } catch {
      return false;
    }
  });
}

const rotate = (id: number, body?: unknown) =>
  service.call('POST', `/webhook/${id}/rotate-secret`, { key: account.key, body });

test('stops signing with a leaked secret after revoke_now', async () => {
  const hook = await register(service, account.key, receiver.url);
  const overlapping = (await rotate(hook.id)).body;
  expect(await signers([hook.secret, overlapping.secret])).toEqual([true, true]);
  const { body, status } = await rotate(hook.id, { revoke_now: true });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('previous_secret_expires_at');
  expect(await signers([hook.secret, overlapping.secret, body.secret])).toEqual([
    false,
    false,
    true,
  ]);
});

test('returns one secret to repeated and concurrent revoke_now calls, and another two minutes later', async () => {
  const hook = await register(service, account.key, receiver.url);
  const twice = await Promise.all([1, 2, 3].map(() => rotate(hook.id, { revoke_now: true })));
  const secrets = new Set([...twice, await rotate(hook.id)].map(({ body }) => body.secret));
  expect(secrets.size).toBe(1);
  const [secret = ''] = secrets;
  expect(secret).not.toBe(hook.secret);
  await service.sql`
    update webhooks set rotated_at = rotated_at - interval '2 minutes' where id = ${hook.id}`;
  const later = await rotate(hook.id, { revoke_now: true });
  expect(await signers([secret, later.body.secret])).toEqual([false, true]);
});

test('accepts only true or false for revoke_now, and only from the webhook’s account', async () => {
  const hook = await register(service, account.key, receiver.url);
  const wrong = await rotate(hook.id, { revoke_now: 'soon' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.children.revoke_now.errors[0]).toContain('true or false');
  const other = await service.call('POST', `/webhook/${hook.id}/rotate-secret`, {
    body: { revoke_now: true },
  });
  expect(other.status).toBe(404);
  expect(await signers([hook.secret])).toEqual([true]);
});

test('lets the operator revoke a leaked secret by command, and prints only the new one', async () => {
  const hook = await register(service, account.key, receiver.url);
  const env = { DATABASE_URL: service.databaseUrl };
  const command = ['webhooks', 'rotate-secret', '--account', account.id, String(hook.id)];
  const { code, stdout, stderr } = await recaudo([...command, '--revoke-now'], env);
  expect([code, stderr]).toEqual([0, 'previous secrets no longer sign\n']);
  expect(stdout).toMatch(/^whsec_\S{44}\n$/);
  expect(await signers([hook.secret, stdout.trim()])).toEqual([false, true]);
  const unknown = await recaudo(['webhooks', 'rotate-secret', '--account', account.id, '7'], env);
  expect(unknown.code).toBe(1);
}, 60_000);
