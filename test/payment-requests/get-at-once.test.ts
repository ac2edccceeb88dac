import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('shows a payment once in each of several concurrent reads', async () => {
  const created = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service),
  });
  const { id } = created.body;
  const paid = await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
  expect(paid.body.request_result).toHaveLength(1);
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => service.call('GET', `/payment-request/${id}`)),
  );
  for (const answer of answers) expect(answer.body).toEqual(paid.body);
});
