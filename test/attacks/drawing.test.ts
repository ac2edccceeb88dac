import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLook, printedLogos, readAccount, readPicture } from '../../src/accounts/index.ts';
import { system } from '../../src/platform/actor.ts';
import { keepDrawn } from '../../src/platform/drawing/cache.ts';
import { type Created, create } from '../checkout/payer.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { chunk, pngMark } from '../portal/pictures.ts';

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

test('draws coupons of a hundred items off the event loop', async () => {
  const draw = async (round: number) => {
    const some = coupons.slice(6 * round, 6 * round + 6);
    const answers = await Promise.all(some.map(({ pdfUrl }) => fetch(pdfUrl)));
    return await Promise.all(answers.map((answer) => answer.bytes()));
  };
  // The first coupon loads the drawing code.
  const [first] = await draw(3);
  expect((await readPdf(Buffer.from(first ?? []))).length).toBeGreaterThan(1);
  const [whole, main] = [process.cpuUsage(), process.threadCpuUsage()];
  for (let round = 0; round < 3; round += 1) await draw(round);
  const [ofAll, ofLoop] = [process.cpuUsage(whole), process.threadCpuUsage(main)];
  expect(ofAll.user).toBeGreaterThan(300_000);
  expect(ofLoop.user / ofAll.user).toBeLessThan(0.5);
});

test('answers 503 with Retry-After to excess concurrent drawings, and draws again later', async () => {
  const answers = await Promise.all(coupons.slice(24).map(({ pdfUrl }) => fetch(pdfUrl)));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 503]);
  const [late] = answers.filter(({ status }) => status === 503);
  expect(late?.headers.get('retry-after')).toMatch(/^\d+$/);
  await Promise.all(answers.map((answer) => answer.bytes()));
  const again = await fetch(coupons[0]?.pdfUrl ?? '');
  expect(again.status).toBe(200);
});

/** Returns the processor time of all threads and of the event loop's thread, in milliseconds. */
async function spent(work: () => Promise<unknown>): Promise<{ all: number; loop: number }> {
  const [whole, main] = [process.cpuUsage(), process.threadCpuUsage()];
  await work();
  const [all, loop] = [process.cpuUsage(whole), process.threadCpuUsage(main)];
  return { all: all.user / 1_000, loop: loop.user / 1_000 };
}

test('prepares the largest logo for print off the event loop', async () => {
  const size = 1000;
  const row = Buffer.from([4, ...Array.from({ length: size * 4 }, (_, x) => (x * 7) % 256)]);
  const head = Buffer.from([0, 0, 3, 232, 0, 0, 3, 232, 8, 6, 0, 0, 0]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  const logo = readPicture(Buffer.concat([pngMark, ...parts]));
  if (typeof logo === 'string') throw new Error(logo);
  const acting = { ...service.service.parts.base, actor: system };
  await changeLook(acting)({ accountId: testAccount, logo });
  const { hash = '' } = (await readAccount(service.sql, testAccount))?.look.logo ?? {};
  const print = () => printedLogos(service.sql, keepDrawn(0))(testAccount, hash);
  expect((await print())?.readUInt32BE(16)).toBe(192);
  const { all, loop } = await spent(async () => {
    for (let round = 0; round < 5; round += 1) await print();
  });
  expect(loop / all).toBeLessThan(0.3);
});

test('draws statements off the event loop', async () => {
  const owner = await signIn(service, 'owner');
  const read = (file: string) => async () => {
    for (let round = 0; round < 10; round += 1) {
      const url = `${service.origin}/portal/${testAccount}/reports/${file}`;
      await (await fetch(url, { headers: { cookie: owner.cookie } })).bytes();
    }
  };
  await read('statement.pdf')();
  const pdf = await spent(read('statement.pdf'));
  expect(pdf.loop / pdf.all).toBeLessThan(0.8);
});
