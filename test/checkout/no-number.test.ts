import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { type Office, openOffice } from '../connectors/payway.ts';
import { filesWith, heapSnapshot, storedIn, tracesOf } from '../connectors/traces.ts';
import { launchBrowser } from '../harness/browser.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { call } from '../harness/service.ts';
import { openChannel, submit } from './payer.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** Not a test card of the simulator or the emulator, because those are constants in programs. */
const number = '4507990123456784';

let office: Office;
let database: TestDatabase;
let folder: string;
let serving: Serving;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-no-number-'));
  const port = await freePort('127.0.0.1');
  const origin = `http://127.0.0.1:${port}`;
  office = await openOffice({ env: { CONNECTOR_CHECKOUT_ORIGINS: origin } });
  database = await createTestDatabase({ max: 4 });
  serving = await startServing({
    DATABASE_URL: database.url,
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    LOG_LEVEL: 'trace',
    CONNECTORS: JSON.stringify([
      {
        name: 'payway',
        url: office.origin(),
        secrets: [office.secret],
        channels: ['credit_card'],
      },
    ]),
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await serving?.end('SIGKILL');
  await Promise.all([office?.stop(), database?.drop()]);
  await rm(folder, { recursive: true, force: true });
});

const post = (url: string, body: unknown) => call(serving.origin, 'POST', url, { body });

test('keeps the number of a card typed in the frame out of requests, storage, logs and memory', async () => {
  const made = await post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: '31-12-2098',
      first_total: 1430.5,
      payer_name: 'Ana',
      payer_email: 'ana@example.com',
    },
  });
  const { id, checkout_url: url } = made.body;
  const page = await browser.newPage();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(serving.origin)) return;
    sent.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  await page.goto(url);
  await openChannel(page, 'credit_card');
  const frame = page.frameLocator('#channel-credit_card iframe');
  await frame.locator('#number').fill(number);
  await frame.locator('#holder').fill('Ana Pérez');
  await frame.locator('#expiry').fill('08/30');
  await frame.locator('#code').fill('123');
  await frame.locator('#document').fill('25123456');
  await page.selectOption('#credit_card-installments', '39:1');
  await submit(page, 'credit_card');
  await page.waitForURL('**/receipt**');
  await page.close();
  const { body } = await post(`/payment-request/${id}/refund`, { refund: { amount: 30.5 } });
  expect(body.state).toBe('done');

  // Guards the search itself: it finds the last digits, which are stored.
  expect((await storedIn(database.sql)).includes(number.slice(-4))).toBe(true);
  expect(sent.some((one) => one.includes('channel=credit_card'))).toBe(true);
  expect(sent.filter((one) => one.includes(number))).toEqual([]);
  expect(await tracesOf(number, { sql: database.sql, serving, folder })).toEqual([]);
  expect(await filesWith(path.join(office.folder, 'connector'), number)).toEqual([]);
  expect(JSON.stringify(office.lines).includes(number)).toBe(false);
  const heap = await heapSnapshot(serving, folder);
  expect([heap.includes(office.origin()), heap.includes(number)]).toEqual([true, false]);
});
