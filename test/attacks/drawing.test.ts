import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Created, create } from '../checkout/payer.ts';
import { startService, type TestService } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';

let service: TestService;
const coupons: Created[] = [];
const items = Array.from({ length: 100 }, (_, index) => ({
  quantity: 1,
  description: `Concepto ${index} ${'ñandú '.repeat(20)}`,
  amount: 10,
}));

beforeAll(async () => {
  service = await startService({
    ROLES: 'payments,qr,web',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
  });
  for (let index = 0; index < 80; index += 1) coupons.push(await create(service, { items }));
});
afterAll(() => service.stop());

test('coupons of a hundred items are drawn beside the event loop', async () => {
  const draw = async (round: number) => {
    const some = coupons.slice(6 * round, 6 * round + 6);
    const answers = await Promise.all(some.map(({ pdfUrl }) => fetch(pdfUrl)));
    return await Promise.all(answers.map((answer) => answer.bytes()));
  };
  // The first ones load what draws.
  const [first] = await draw(3);
  expect((await readPdf(Buffer.from(first ?? []))).length).toBeGreaterThan(1);
  const [whole, main] = [process.cpuUsage(), process.threadCpuUsage()];
  for (let round = 0; round < 3; round += 1) await draw(round);
  const [ofAll, ofLoop] = [process.cpuUsage(whole), process.threadCpuUsage(main)];
  expect(ofAll.user).toBeGreaterThan(300_000);
  expect(ofLoop.user / ofAll.user).toBeLessThan(0.5);
});

test('a reader with too many drawings at once gets 503 with Retry-After, and others theirs', async () => {
  const answers = await Promise.all(coupons.slice(24).map(({ pdfUrl }) => fetch(pdfUrl)));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 503]);
  const [late] = answers.filter(({ status }) => status === 503);
  expect(late?.headers.get('retry-after')).toMatch(/^\d+$/);
  await Promise.all(answers.map((answer) => answer.bytes()));
  const again = await fetch(coupons[0]?.pdfUrl ?? '');
  expect(again.status).toBe(200);
});
