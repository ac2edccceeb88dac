import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBarcode } from '../../src/kernel/barcode.ts';
import { inDays } from '../harness/builders/clock.ts';
import { type Office, openOffice } from '../harness/builders/office.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError, expectFaults } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { file, pagoFacilLines, rapipagoLines } from '../rails/files.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { code128In, itfIn, readImage, readPdf } from './documents/readers.ts';

interface Format {
  name: string;
  digits: number;
  /** The largest first total, and the largest second total after a first one of 100. */
  first: number;
  second: number;
  collector: string;
  largestId: number;
}

const convention = '5150000000';
const formats: Format[] = [
  {
    name: '0444',
    digits: 56,
    first: 99_999.99,
    second: 99_999.99,
    collector: convention,
    largestId: 999_999_999,
  },
  {
    name: '0447',
    digits: 56,
    first: 99_999.99,
    second: 99_999.99,
    collector: convention,
    largestId: 99_999_999,
  },
  {
    name: '0449',
    digits: 59,
    first: 999_999.99,
    second: 999_999.99,
    collector: convention,
    largestId: 999_999_999,
  },
  {
    name: 'pago-facil',
    digits: 42,
    first: 999_999.99,
    second: 10_099.99,
    collector: '0515',
    largestId: 99_999_999_999_999,
  },
];

const attempt = (service: TestService, fields: Record<string, unknown> = {}) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields) });

describe.each(formats)('with barcodes of the format $name', (format) => {
  let service: TestService;
  let office: Office;
  beforeAll(async () => {
    service = await startService({ ROLES: 'payments,web', BARCODE_FORMAT: format.name });
    office = await openOffice(service);
  });
  afterAll(async () => {
    expect(await office?.faults()).toEqual([]);
    await office?.close();
    await service?.stop();
  });

  test('encodes the request’s amounts in the barcode, up to the largest totals', async () => {
    const largest = await office.request({ first_total: format.first });
    const two = await office.request({
      first_total: 100,
      second_total: format.second,
      second_due_date: inDays(service, 15),
    });
    const sent: [barcode: string, id: number, first: number, second: number | null][] = [
      [largest.barcode, largest.id, format.first, null],
      [two.barcode, two.id, 100, format.second],
    ];
    for (const [barcode, client, first, second] of sent) {
      expect(barcode).toHaveLength(format.digits);
      expect(decodeBarcode(barcode)).toMatchObject({
        ok: true,
        coupon: {
          format: format.name,
          client,
          firstTotal: Math.round(first * 100),
          secondTotal: second === null ? null : Math.round(second * 100),
          collector: format.collector,
        },
      });
    }
  });

  test('refuses an oversized total at its field, with the bound', async () => {
    const before = await stored(service.sql);
    const more = (amount: number) => (amount + 0.01).toFixed(2);
    const attempts: [field: string, bound: number, fields: Record<string, unknown>][] = [
      ['first_total', format.first, { first_total: more(format.first) }],
      [
        'second_total',
        format.second,
        {
          first_total: 100,
          second_total: more(format.second),
          second_due_date: inDays(service, 15),
        },
      ],
    ];
    for (const [field, bound, fields] of attempts) {
      const answer = await attempt(service, fields);
      expectFaults(answer, [field]);
      const [message] = answer.body.children[field].errors;
      expect(message).toContain(`the format ${format.name}.`);
      expect(message).toContain(`at most ${bound},`);
    }
    expect(await stored(service.sql)).toEqual(before);
  });

  test('draws a barcode that an independent reader decodes in image, SVG and coupon', async () => {
    const made = await office.request();
    const { barcode_url: svg, pdf_url: pdf } = (await office.show(made.id)) as Record<
      string,
      string
    >;
    const bytes = async (url = '') =>
      Buffer.from(
        await (await fetch(url.replace(/^https?:\/\/[^/]+/, service.origin))).arrayBuffer(),
      );
    const pages = await readPdf(await bytes(pdf));
    const pictures = [
      await readImage(await bytes(svg)),
      await readImage(await bytes(svg?.replace(/svg$/, 'png'))),
      ...pages.map(({ pixels }) => pixels),
    ];
    const read = format.digits % 2 === 0 ? itfIn : code128In;
    const found = await Promise.all(pictures.map(read));
    expect(found.flat()).toEqual([made.barcode, made.barcode, made.barcode]);
  });

  test('matches payments in both cash networks’ files to the request', async () => {
    for (const [rail, build] of [
      ['pago-facil', pagoFacilLines],
      ['rapipago', rapipagoLines],
    ] as const) {
      const [whole, cut] = [await office.request(), await office.request()];
      const codes = [whole.barcode, cut.barcode.slice(0, 50)];
      const paid = codes.map((code) => ({ code, amount: 143_050, paidOn: office.compact() }));
      const { summary } = await office.import(
        rail,
        await office.write(file(build(office.compact(), paid))),
      );
      expect(summary).toMatchObject({ lines: 2, collected: 2, suspense: 0, amount_differs: 0 });
      for (const { id } of [whole, cut]) {
        expect(await office.show(id)).toMatchObject({ state: 'paid' });
      }
    }
  });

  test('refuses an id above the format’s bound, and stores nothing', async () => {
    await service.sql`select setval('request_ids', ${format.largestId - 1_000})`;
    const other = await startService({
      ...withoutWorker,
      BARCODE_FORMAT: format.name,
      DATABASE_URL: service.databaseUrl,
    });
    try {
      const last = await attempt(other);
      expect([last.status, last.body.id]).toEqual([201, format.largestId]);
      const before = await stored(service.sql);
      const refused = await attempt(other);
      expectError(refused, 400);
      expect(refused.body.error_code).toBe('payment_request.barcode_ids_used_up');
      expect(refused.body.message).toContain(`up to ${format.largestId},`);
      expect(await stored(service.sql)).toEqual(before);
    } finally {
      await other.stop();
    }
  });
});

test('accepts coupons of an earlier format after the operator changes it', async () => {
  const first = await startService(withoutWorker);
  const made: { id: number; barcode: string }[] = [];
  const offices: Office[] = [await openOffice(first)];
  const others: TestService[] = [];
  for (const { name } of formats) {
    const other = await startService({
      ...withoutWorker,
      BARCODE_FORMAT: name,
      DATABASE_URL: first.databaseUrl,
    });
    others.push(other);
    offices.push(await openOffice(other));
  }
  for (const office of offices) made.push(await office.request(), await office.request());
  expect(new Set(made.map(({ barcode }) => barcode.length))).toEqual(new Set([59, 56, 42]));
  const last = offices.at(-1) as Office;
  for (const [turn, [rail, build]] of (
    [
      ['pago-facil', pagoFacilLines],
      ['rapipago', rapipagoLines],
    ] as const
  ).entries()) {
    const paid = made
      .filter((_one, index) => index % 2 === turn)
      .map(({ barcode }) => ({ code: barcode, amount: 143_050, paidOn: last.compact() }));
    const { summary } = await last.import(
      rail,
      await last.write(file(build(last.compact(), paid))),
    );
    expect(summary).toMatchObject({ lines: 5, collected: 5, suspense: 0 });
  }
  expect(await last.faults()).toEqual([]);
  for (const office of offices) await office.close();
  for (const other of others) await other.stop();
  await first.stop();
}, 120_000);
