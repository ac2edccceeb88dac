import { parse } from 'promptparse';
import { decode } from 'steplix-emvqr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crc16 } from '../../src/kernel/emv.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { type Created, create } from '../checkout/payer.ts';
import { inDays } from '../harness/builders/clock.ts';
import { callerOf, itemOf, renamed } from '../harness/builders/qrs.ts';
import { withoutWorker } from '../harness/builders/static-qrs.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';
import {
  qrIn,
  type ReadPage,
  readImage,
  readPdf,
  zxingQrIn,
} from '../payment-requests/documents/readers.ts';

const token = 'sandbox-resolve-token';

let service: TestService;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService({ ...withoutWorker, ROLES: 'payments,qr,web' });
  qr = callerOf(service);
});
afterAll(() => service?.stop());

const resolved = async (data: string, origin = service.origin, access_token = token) => {
  const query = new URLSearchParams({ data, access_token });
  const answer = await call(origin, 'GET', `/resolve?${query}`, { key: null });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const bytesOf = async (url: string): Promise<Buffer> => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

const couponOf = async (pdfUrl: string): Promise<ReadPage> => {
  const [page] = await readPdf(await bytesOf(pdfUrl));
  if (!page) throw new Error('a coupon without a page');
  return { ...page, text: page.text.replaceAll('\n', ' ') };
};

/** Returns the code that the checkout shows to wallets. */
const codeOf = async ({ url }: Created): Promise<string> =>
  qrIn(await readImage(await bytesOf(`${url}/qr.png`))) ?? '';

const simulate = (what: string, id: number, body = {}) =>
  service.call('POST', `/sandbox/${what}/${id}`, { body });

const dotted = ({ id }: Created): string => `${testAccount}.${id}`;
const dashed = ({ id }: Created): string => `${testAccount}-${id}`;

describe('a payment request’s QR', () => {
  test('encodes the same QR on checkout and coupon, with the amount due', async () => {
    const request = await create(service, { first_total: 98765.43, description: 'Cuota 12' });
    const payload = await codeOf(request);
    const page = await couponOf(request.pdfUrl);
    expect([qrIn(page.pixels), await zxingQrIn(page.pixels)]).toEqual([payload, [payload]]);
    expect(page.text).toContain('Pagá con cualquier billetera');
    expect(page.text).not.toContain('Abrí la página de pago');
    const read = parse(payload, true, true);
    expect([read?.getTagValue('54'), read?.getTagValue('62', '01')]).toEqual([
      '98765.43',
      dotted(request),
    ]);
    expect(JSON.stringify(decode(payload, true))).toContain(dotted(request));

    const answer = await resolved(payload);
    expect(answer).toMatchObject({
      status: 'closed_amount',
      collector: { identification_number: '30999999995' },
      order: {
        id: dotted(request),
        total_amount: 98765.43,
        items: [{ title: 'Cuota 12', unit_price: 98765.43 }],
      },
    });
    // The coupon shows the same account to those who transfer by hand.
    expect(page.text).toContain(answer.collector.account);
  });

  test('records a wallet’s payment as a QR payment, and no longer resolves the code, even after a refund', async () => {
    const request = await create(service);
    const payload = await codeOf(request);
    expect((await simulate('pay', request.id, { channel: 'qr' })).status).toBe(200);
    const { body } = await service.call('GET', `/payment-request/${request.id}`);
    expect([body.state, body.request_result]).toEqual([
      'paid',
      [expect.objectContaining({ channel: 'QR', amount: 1430.5 })],
    ]);
    const done = (word: string) => ({ status: 'error', message: `The QR is ${word}.` });
    expect(await resolved(payload)).toEqual(done('Paid'));
    await simulate('refund', request.id);
    expect(await resolved(payload)).toEqual(done('Refunded'));
    const taken = await create(service);
    await simulate('pay', taken.id, { channel: 'qr' });
    await simulate('chargeback', taken.id);
    expect(await resolved(renamed(payload, dotted(request), dotted(taken)))).toEqual(
      done('Refunded'),
    );
  });

  test('resolves a printed code with the second total after the first due date, but not after the last', async () => {
    const request = await create(service, {
      first_total: 100,
      first_due_date: inDays(service, 1),
      second_due_date: inDays(service, 5),
      second_total: 110,
    });
    const payload = await codeOf(request);
    // With an amount in the code, a wallet could charge it on any day without asking.
    expect(parse(payload, true)?.getTagValue('54')).toBeUndefined();
    expect((await resolved(payload)).order.total_amount).toBe(100);
    await qr.move({ days: 2 });
    expect(await codeOf(request)).toBe(payload);
    expect((await resolved(payload)).order.total_amount).toBe(110);
    await qr.move({ days: 4 });
    expect(await resolved(payload)).toEqual({ status: 'error', message: 'The QR is Expired.' });
  });

  test('never confuses a payment request’s code with a QR, whatever id its creator chooses', async () => {
    const request = await create(service, { first_total: 500 });
    const payload = await codeOf(request);
    const old = renamed(payload, dotted(request), dashed(request));
    // Earlier versions printed codes with a dash.
    expect(await resolved(old)).toEqual(await resolved(payload));

    const saved = await qr.save([itemOf(service, String(request.id), { first_total: 20 })]);
    expect(saved.status).toBe(201);
    const own = (await qr.status(String(request.id))).body.qr_string;
    expect((await resolved(own)).order).toMatchObject({ id: dashed(request), total_amount: 20 });
    expect((await resolved(payload)).order).toMatchObject({
      id: dotted(request),
      total_amount: 500,
    });
    for (const id of [dotted(request), `.${request.id}`]) {
      expect((await qr.save([itemOf(service, id)])).status).toBe(400);
      expect((await qr.pay(id)).status).toBe(404);
    }
  });

  test('refuses a code with an excluded channel, an unknown request or another account', async () => {
    const without = await create(service, { excluded_channels: ['QR'] });
    const payload = await codeOf(await create(service));
    const id = parse(payload, true)?.getTagValue('62', '01') ?? '';
    const ask = (other: string) => resolved(renamed(payload, id, other));
    const debit = await qr.save([itemOf(service, 'OTHER-KIND')]);
    expect(debit.status).toBe(201);
    const { request_id } = (await qr.status('OTHER-KIND')).body;
    const none = [String(without.id), '999999999', '0', '01', '-1', '1e3', '9999999999999999'];
    for (const number of [...none, String(request_id), '']) {
      expect(await ask(`${testAccount}.${number}`), number).toEqual({
        status: 'unsupported_qr_code',
        message: 'This code was not issued here.',
      });
    }
    expect((await ask(`FFFFFFFF.${without.id}`)).status).toBe('unsupported_merchant');

    const page = await couponOf(without.pdfUrl);
    expect([qrIn(page.pixels), await zxingQrIn(page.pixels)]).toEqual([without.url, [without.url]]);
    expect(page.text).toContain('Abrí la página de pago');
    expect(page.text).not.toMatch(/billetera/);
  });
});

test('neither prints nor resolves codes in production without wallets', async () => {
  const request = await create(service);
  const payload = await codeOf(request);
  const accessToken = 'scheme-one-0123456789';
  // Acceptor and transfer accounts are configured, but no connector.
  const known = { QR_ACCEPTOR: 'ar.tercero', CVU_PSP: '4242' };
  await service.sql`update deployment set environment = 'production'`;
  for (const env of [{}, known]) {
    const port = await freePort('127.0.0.1');
    const origin = `http://127.0.0.1:${port}`;
    const production = await startService({
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://pagos.example.com',
      BARCODE_CONVENTION: '5150000001',
      DATABASE_URL: service.databaseUrl,
      PORT: String(port),
      ROLES: 'payments,qr,web',
      RESOLVE_TOKENS: accessToken,
      ...env,
    });
    try {
      const address = `https://pagos.example.com/checkout/${request.token}`;
      const page = await couponOf(origin + new URL(request.pdfUrl).pathname);
      expect([qrIn(page.pixels), page.text]).toEqual([
        address,
        expect.stringContaining('Abrí la página de pago'),
      ]);
      expect(page.text).not.toMatch(/billetera/);
      const picture = await fetch(`${origin}/checkout/${request.token}/qr.png`);
      expect(picture.headers.get('content-type')).not.toContain('image');
      const named = payload.replace('ar.recaudo', 'ar.tercero').slice(0, -4);
      const ours = named + crc16(named);
      expect((await resolved(payload, origin, accessToken)).status).toBe('unsupported_qr_code');
      expect((await resolved(ours, origin, accessToken)).status).toBe(
        'QR_ACCEPTOR' in env ? 'error' : 'unsupported_qr_code',
      );
    } finally {
      await production.stop();
    }
  }
});
