import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBarcode } from '../../src/kernel/barcode.ts';
import { isoMidnight } from '../../src/kernel/dates.ts';
import { createdAnswer, paymentRequestAnswer } from '../../src/payment-requests/answers.ts';
import { pageAnswer } from '../../src/platform/http/shapes.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const created = Compile(createdAnswer);
const shown = Compile(paymentRequestAnswer);
const listed = Compile(pageAnswer(paymentRequestAnswer));

const post = (fields: Record<string, unknown> = {}, headers = {}) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields), headers });

/** Posts a valid body. The responses of POST, GET and list must fit their schemas. */
async function create(fields: Record<string, unknown> = {}): Promise<Answer> {
  const answer = await post(fields);
  expect(answer.status, answer.text).toBe(201);
  expect([...created.Errors(answer.body)]).toEqual([]);
  const got = await service.call('GET', `/payment-request/${answer.body.id}`);
  expect([...shown.Errors(got.body)]).toEqual([]);
  expect(got.text).toBe(answer.text.replace(/}$/, ',"request_result":[]}'));
  const list = await service.call('GET', `/payment-request?id=${answer.body.id}`);
  expect([...listed.Errors(list.body)]).toEqual([]);
  expect(list.body.total_count).toBe(1);
  expect(JSON.stringify(list.body.data[0])).toBe(JSON.stringify(got.body));
  return answer;
}

const midnightIn = (days: number): string =>
  isoMidnight(service.service.parts.clocks.business.today().add({ days }));

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/;

const everything = () => ({
  description: 'Cuota de diciembre\n\tSegundo renglón',
  first_due_date: inDays(service, 10),
  first_total: 1430.5,
  payer_name: ' Ana Pérez 😀 ',
  external_reference: 'A-1/ñ "x" \\ <b>',
  second_due_date: inDays(service, 20),
  second_total: '1500.10',
  payer_email: 'ana.perez+x@example.com.ar',
  back_url_success: 'https://example.com/ok?a=1&b=2#x',
  back_url_pending: 'HTTP://localhost:8080/pending',
  back_url_rejected: 'https://example.com/ñandú',
  excluded_channels: ['credit_card', 'debin', 'Wire_Transfer', 'qr'],
  excluded_card_brands: ['39', 41, 'no such brand'],
  excluded_installments: [3, 6],
  metadata: { a: [1, 'x', null, { b: true }] },
  items: [
    { quantity: 2, description: 'Libro', amount: 700 },
    { description: 'Envío', amount: '0.00' },
  ],
});

test('returns every field, in POST and in GET', async () => {
  const sent = everything();
  const { body } = await create(sent);
  expect(body).toStrictEqual({
    ...sent,
    id: expect.any(Number),
    type: 'payment_request',
    state: 'pending',
    created_at: expect.stringMatching(dateTime),
    first_due_date: midnightIn(10),
    second_due_date: midnightIn(20),
    second_total: 1500.1,
    barcode: expect.stringMatching(/^\d{59}$/),
    checkout_url: expect.stringMatching(/^http:.*\/checkout\/A1B2C3D4-[\w-]+$/),
    barcode_url: expect.stringMatching(/^http:.*\/barcode\/A1B2C3D4-[\w-]+\.svg$/),
    pdf_url: expect.stringMatching(/^http:.*\/coupon\/A1B2C3D4-[\w-]+\.pdf$/),
  });
  const { body: read } = await service.call('GET', `/payment-request/${body.id}`);
  expect(read).toStrictEqual({ ...body, request_result: [] });
  const coupon = decodeBarcode(body.barcode);
  const { today } = service.service.parts.clocks.business;
  expect(coupon).toMatchObject({
    ok: true,
    coupon: { client: body.id, firstTotal: 143_050, secondTotal: 150_010 },
  });
  if (coupon.ok) {
    expect(String(coupon.coupon.firstDue)).toBe(String(today().add({ days: 10 })));
    expect(String(coupon.coupon.secondDue)).toBe(String(today().add({ days: 20 })));
  }
});

test('omits fields that were not sent', async () => {
  const { body } = await create();
  expect(Object.keys(body)).toEqual([
    ...['id', 'type', 'state', 'created_at', 'payer_name', 'description', 'first_due_date'],
    ...['first_total', 'barcode', 'checkout_url', 'barcode_url', 'pdf_url'],
  ]);
});

test.each([null, ''])('treats an optional field sent as %j as missing', async (nothing) => {
  const names = Object.keys(everything()).slice(4);
  const { body } = await create(Object.fromEntries(names.map((name) => [name, nothing])));
  for (const name of names) expect(body).not.toHaveProperty(name);
  const items = [{ quantity: nothing, description: 'x', amount: 1 }];
  const { body: withItems } = await create({ items });
  expect(withItems.items).toEqual([{ description: 'x', amount: 1 }]);
});

test('ignores unknown members', async () => {
  const { body } = await create({ id: 5, state: 'paid', barcode: '1', toString: 1, zzz: [[[]]] });
  expect(body.id).not.toBe(5);
  expect(body.state).toBe('pending');
  expect(body).not.toHaveProperty('zzz');
  const items = [{ description: 'x', amount: 1, sku: 'A' }];
  const { body: withItems } = await create({ items });
  expect(withItems.items).toEqual([{ description: 'x', amount: 1 }]);
});

describe('accepts amounts as numbers and numeric strings, to the centavo', () => {
  test.each([
    ['0.01', 0.01],
    ['"0.01"', 0.01],
    ['1430', 1430],
    ['"00000001.00"', 1],
    ['1430.10', 1430.1],
    ['1e2', 100],
    ['14305E-1', 1430.5],
    ['99999999.99', 99_999_999.99],
    ['"99999999.99"', 99_999_999.99],
    ['1.0000000000000000000000000', 1],
    ['0.29', 0.29],
    ['"1.1"', 1.1],
    ['4.35', 4.35],
  ])('accepts the amount %s', async (literal, expected) => {
    const text = JSON.stringify(paymentRequestBody(service, { first_total: '@@' }));
    const body = text.replace('"@@"', literal);
    const answer = await service.call('POST', '/payment-request', { body });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.first_total).toBe(expected);
    const [row] = await service.sql<{ total1: number }[]>`
      select total1 from requests where id = ${answer.body.id}`;
    expect(row?.total1).toBe(Math.round(expected * 100));
  });
});

describe('accepts texts up to the documented length, in code points', () => {
  test.each([
    ['description', 500],
    ['payer_name', 255],
    ['external_reference', 255],
  ])('accepts the longest %s', async (name, length) => {
    for (const letter of ['x', 'ñ', '😀']) {
      const { body } = await create({ [name]: letter.repeat(length) });
      expect(body[name]).toBe(letter.repeat(length));
    }
  });
  test('accepts the longest item description', async () => {
    const items = [{ description: '😀'.repeat(255), amount: 0 }];
    expect((await create({ items })).body.items).toEqual(items);
  });
  test('accepts the longest e-mail and back_url', async () => {
    const long = { payer_email: `${'a'.repeat(243)}@example.com` };
    expect((await create(long)).body).toMatchObject(long);
    const url = { back_url_success: `https://example.com/${'a'.repeat(235)}` };
    expect((await create(url)).body).toMatchObject(url);
  });
});

test('accepts today, 99 days between due dates, equal totals and the last day of barcodes', async () => {
  const today = await create({ first_due_date: inDays(service, 0) });
  expect(today.body.first_due_date).toBe(midnightIn(0));
  const far = { second_due_date: inDays(service, 109), second_total: 1430.5 };
  expect((await create(far)).body.second_due_date).toBe(midnightIn(109));
  const last = { first_due_date: '30-12-2099', second_due_date: '31-12-2099', second_total: 2000 };
  expect((await create(last)).body.second_due_date).toBe('2099-12-31T00:00:00-03:00');
});

test('allows excluding all channels but one, and empty lists', async () => {
  const seven = [
    'credit_card',
    'debit_card',
    'banelco_pmc',
    'link_pagos',
    'DEBIN',
    'wire_transfer',
  ];
  const excluded = { excluded_channels: [...seven, 'non_banking', 'non_banking'] };
  expect((await create(excluded)).body).toMatchObject(excluded);
  const empty = {
    excluded_channels: [],
    excluded_card_brands: [],
    excluded_installments: [],
    metadata: {},
    items: [],
  };
  expect((await create(empty)).body).toMatchObject(empty);
});

test('returns a hundred items exactly as sent', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    ...(index % 2 === 0 && { quantity: index + 1 }),
    description: `Línea ${index}\n"x"`,
    amount: index % 3 === 0 ? `${index}.10` : index,
  }));
  expect(JSON.stringify((await create({ items })).body.items)).toBe(JSON.stringify(items));
});

describe('returns metadata with equal content', () => {
  const deep = (levels: number): string =>
    `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  test.each([
    ['__proto__', '{"__proto__":{"x":1},"constructor":{"prototype":null},"toString":"y"}'],
    ['an integer beyond binary64', '{"n":9007199254740993,"m":[-9007199254740993,0.1]}'],
    ['fractions and exponents', '{"a":1.000000000000000000001,"b":1e400,"c":-1e-400}'],
    ['both at once', '{"__proto__":9007199254740993,"constructor":[9007199254740993]}'],
    ['any text', '{"":"","ñ 😀":"\\u0001\\n\\"\\\\/\u2028 </script>","k":"{\\"a\\":1}"}'],
    ['scalars and nulls', '{"a":null,"b":true,"c":false,"d":0,"e":[],"f":{},"g":[null,[[]]]}'],
    ['100 levels', deep(100)],
    ['16384 bytes', `{"a":"${'x'.repeat(16_376)}"}`],
    ['16384 bytes of UTF-8', `{"a":"${'ñ'.repeat(8188)}"}`],
  ])('returns metadata with %s', async (_what, metadata) => {
    const text = JSON.stringify(paymentRequestBody(service, { metadata: '@@' }));
    const body = text.replace('"@@"', () => metadata);
    const answer = await service.call('POST', '/payment-request', { body });
    expect(answer.status, answer.text).toBe(201);
    const expected = `"metadata":${metadata}`;
    expect(answer.text).toContain(expected);
    const got = await service.call('GET', `/payment-request/${answer.body.id}`);
    expect(got.text).toContain(expected);
    const list = await service.call('GET', `/payment-request?id=${answer.body.id}`);
    expect(list.text).toContain(expected);
  });

  test('limits metadata by its size as compact JSON', async () => {
    const metadata = `{"a" : ${' '.repeat(20_000)} 1}`;
    const text = JSON.stringify(paymentRequestBody(service, { metadata: '@@' }));
    const body = text.replace('"@@"', () => metadata);
    const answer = await service.call('POST', '/payment-request', { body });
    expect(answer.body.metadata).toEqual({ a: 1 });
  });
});

test('gives every answer its own Request-Id', async () => {
  const answers = await Promise.all([post(), post(), post({ first_total: 0 })]);
  const ids = answers.map((answer) => answer.headers.get('request-id'));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(ids).size).toBe(3);
});

test('writes one row per request, and one event attributed to the creating key', async () => {
  const before = await stored(service.sql);
  const { body } = await create({ external_reference: 'ev' });
  const after = await stored(service.sql);
  expect(after).toEqual({ ...before, requests: before.requests + 1, events: before.events + 1 });
  const events = await service.sql`
    select type, version, actor, data from events where entity_id = ${String(body.id)}`;
  expect(events).toMatchObject([
    {
      type: 'payment_request.created',
      version: 1,
      actor: expect.stringMatching(/^key:test-key-012:\d+$/),
      data: { state: 'pending', external_reference: 'ev', amount: 1430.5 },
    },
  ]);
});

test('gives concurrent calls separate ids, answers and rows', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `Pagador ${index}`);
  const answers = await Promise.all(names.map((payer_name) => post({ payer_name })));
  expect(answers.map((answer) => answer.body.payer_name)).toEqual(names);
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(names.length);
  const got = await Promise.all(
    answers.map((answer) => service.call('GET', `/payment-request/${answer.body.id}`)),
  );
  expect(got.map((answer) => answer.body.payer_name)).toEqual(names);
});

describe('GET after a payment', () => {
  const pay = async (fields: Record<string, unknown>, body: Record<string, unknown>) => {
    const { id } = (await create(fields)).body;
    const paid = await service.call('POST', `/sandbox/pay/${id}`, { body });
    expect(paid.status, paid.text).toBe(200);
    return await service.call('GET', `/payment-request/${id}?detail_retentions=true`);
  };

  test('shows result and holder in the schema’s format', async () => {
    for (const channel of ['credit_card', 'non_banking', 'DEBIN', 'qr']) {
      const answer = await pay({ payer_email: 'ana@example.com' }, { channel });
      expect([...shown.Errors(answer.body)]).toEqual([]);
      expect(answer.body.state).toBe('paid');
      const [result] = answer.body.request_result;
      expect(result.type).toBe('collected_payment_request_result');
      expect(result.amount).toBe(1430.5);
      for (const name of ['paid_at', 'created_at', 'available_at']) {
        expect(result[name]).toMatch(dateTime);
      }
      expect(result.gross_fee).toBeCloseTo(result.net_fee + result.fee_iva, 10);
      expect(result.net_amount).toBeCloseTo(result.amount - result.gross_fee, 10);
      expect(answer.body.holder_data.holder_name).toEqual(expect.any(String));
      expect(answer.body.retentions).toEqual([]);
    }
  });

  test('shows retentions only on request', async () => {
    const { body } = await pay({}, {});
    const path = `/payment-request/${body.id}?detail_retentions=`;
    for (const yes of ['true', '1']) {
      expect((await service.call('GET', path + yes)).body).toHaveProperty('retentions');
    }
    for (const no of ['false', '0', '']) {
      expect((await service.call('GET', path + no)).body).not.toHaveProperty('retentions');
    }
    const odd = await service.call('GET', `${path}yes`);
    expectError(odd, 400);
    expect(odd.body.children.detail_retentions.errors[0]).toContain('must be true or false');
  });
});
