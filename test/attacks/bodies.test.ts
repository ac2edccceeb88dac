import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

/** Returns a payment request with this JSON text as its metadata. */
function withMetadata(metadata: string): string {
  const body = JSON.stringify(paymentRequestBody(service, { metadata: 'here' }));
  return body.replace('"here"', () => metadata);
}

test('refuses a QR batch with 65,000 colons, and names the byte at fault', async () => {
  const body = `{"a"${':'.repeat(65_000)}`;
  const answer = await service.call('POST', '/save-qr-data', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toMatch(/[Mm]ore than 1000 names and values.* at byte \d+/);
});

test.each([
  ['1 MiB of numbers that a double cannot hold', `{"a":[${'1e400,'.repeat(170_000)}1]}`, /40000/],
  [
    'arrays nested 300,000 deep',
    `{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
    /200 objects/,
  ],
  ['a number of half a megabyte', `{"a":${'9'.repeat(500_000)}}`, /1000 characters/],
])('refuses %s before parsing', async (_what, metadata, message) => {
  const body = withMetadata(metadata);
  const answer = await service.call('POST', '/payment-request', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toMatch(message);
});

test('accepts the largest legal body: 16 KiB of metadata with a value in every other byte', async () => {
  const metadata = `{"a":[${Array(8_000).fill(0).join(',')}]}`;
  const items = Array(100).fill({ description: '\u{1F600}'.repeat(255), amount: 1, quantity: 1 });
  const fields = paymentRequestBody(service, { metadata: JSON.parse(metadata), items });
  const answer = await service.call('POST', '/payment-request', { body: fields });
  expect(answer.status).toBe(201);
  expect(answer.body.metadata).toEqual(JSON.parse(metadata));
});
