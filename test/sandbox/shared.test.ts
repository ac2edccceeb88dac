import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookTermsOf } from '../../src/composition/terms.ts';
import { createGuard } from '../../src/webhooks/delivery/address.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ SANDBOX_SHARED_CLOCK: 'false' });
});
afterAll(() => service.stop());

const move = (key?: string) =>
  service.call('POST', '/sandbox/clock', { body: { minutes: 1 }, ...(key && { key }) });

test('lets a key move the clock only while its account is the only one', async () => {
  expect((await move()).status).toBe(200);
  const { key } = await anotherAccount(service);
  for (const answer of [await move(), await move(key)]) {
    expect([answer.status, answer.body.message]).toEqual([
      403,
      expect.stringContaining('SANDBOX_SHARED_CLOCK=true'),
    ]);
  }
  expect((await service.call('GET', '/sandbox/clock')).status).toBe(200);
});

const guardOf = (more: Partial<TestService['config']>) => {
  const { production, reach } = webhookTermsOf({ ...service.config, ...more });
  return createGuard(production, async () => [], reach);
};
const [own, near, open] = ['http://127.0.0.1:9/x', 'http://10.1.2.3/x', 'http://8.8.8.8/x'];

test.each([
  ['on one machine', { HOST: '127.0.0.1' }, [null, 'not_public', null]],
  ['that other machines reach', { HOST: '0.0.0.0' }, ['not_public', 'not_public', null]],
  [
    'with SANDBOX_PRIVATE_WEBHOOKS',
    { HOST: '0.0.0.0', SANDBOX_PRIVATE_WEBHOOKS: true },
    [null, null, null],
  ],
  [
    'on one machine, without SANDBOX_PRIVATE_WEBHOOKS',
    { SANDBOX_PRIVATE_WEBHOOKS: false },
    ['not_public', 'not_public', null],
  ],
  [
    'in production',
    { ENVIRONMENT: 'production' as const, SANDBOX_PRIVATE_WEBHOOKS: true },
    ['not_https', 'not_https', 'not_https'],
  ],
])('lets the webhooks of a service %s reach only allowed hosts', async (_name, more, faults) => {
  const guard = guardOf(more);
  const found = await Promise.all([own, near, open].map((url) => guard.fault(url ?? '')));
  expect(found.map((fault) => fault?.key.replace('webhook.url_', '') ?? null)).toEqual(faults);
});

test('names the variable that allows private webhooks when it refuses one', async () => {
  const sentence = await guardOf({ HOST: '0.0.0.0' }).fault(near ?? '');
  expect(String(sentence)).toContain('SANDBOX_PRIVATE_WEBHOOKS=true');
});
