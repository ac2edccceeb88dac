import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { startService, testAccount, testKey } from '../harness/service.ts';

test('logs a call that is answered while the service stops', async () => {
  const service = await startService();
  const asked = request(`${service.origin}/payment-request`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  });
  const answered = once(asked, 'response');
  asked.flushHeaders();
  await once(asked, 'continue');
  const stopped = service.service.stop();
  await vi.waitFor(() => expect(fetch(`${service.origin}/healthz`)).rejects.toThrow());
  asked.end('{}');
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(400);
  await stopped;
  const calls = await service.sql`
    select method, path, status from api_calls where account_id = ${testAccount}`;
  expect(calls).toEqual([{ method: 'POST', path: '/payment-request', status: 400 }]);
  await service.stop();
});
