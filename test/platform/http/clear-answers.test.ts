import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDays } from '../../harness/builders/clock.ts';
import { paymentRequestBody } from '../../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { rawCall } from './raw.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = (fields: Record<string, unknown>) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields) });

describe('message', () => {
  test('names the first fault with its field', async () => {
    const { body } = await create({ first_total: 0 });
    expect(body.message).toBe('first_total: This amount must be at least 0.01.');
  });

  test('counts the faults after the first', async () => {
    const items = [{ description: 'x', amount: -1 }];
    const { body } = await create({ first_total: 0, payer_email: 'ana', items });
    expect(body.message).toBe('first_total: This amount must be at least 0.01. (and 2 more)');
    expect(body.errors).toHaveLength(3);
  });

  test.each([
    ['{"payment_request":{"a":1,}}', 'unexpected "}" at byte 26'],
    ['{"payment_request":{"ñ":1,}}', 'unexpected "}" at byte 27'],
    ['{"payment_request":', 'it ends too early, at byte 19'],
  ])('names the position in the malformed JSON %s', async (text, fault) => {
    const { status, body } = await service.call('POST', '/payment-request', { body: text });
    expect([status, body.message]).toEqual([400, `The body is not valid JSON: ${fault}.`]);
  });

  test('lists the fields found instead of the missing wrapper', async () => {
    const answer = await service.call('POST', '/payment-request', {
      body: { description: 'x', first_total: 1 },
    });
    expect(answer.body.message).toBe(
      '"payment_request" is missing; found: description, first_total. ' +
        'Send {"payment_request": {…}} with the fields inside.',
    );
  });
});

test('rounds off floating-point noise in an amount, and accepts one-digit days', async () => {
  const [day = '', month = '', year = ''] = inDays(service, 40).split('-');
  const first_due_date = `${Number(day)}-${Number(month)}-${year}`;
  const { status, body } = await create({ first_total: 300.299_999_999_999_95, first_due_date });
  expect([status, body.first_total]).toEqual([201, 300.3]);
  expect(body.first_due_date).toBe(`${year}-${month}-${day}T00:00:00-03:00`);
});

test('refuses a second due date that does not fit in a barcode', async () => {
  const { status, body } = await create({
    ...{ first_due_date: '01-12-2099', second_due_date: '05-01-2100', second_total: 2000 },
  });
  expect([status, body.children.second_due_date]).toEqual([
    400,
    {
      errors: ['The due date must be 31-12-2099 or earlier.'],
      codes: ['request.due_too_far'],
    },
  ]);
});

test('suggests no second due date after the last day that a barcode can hold', async () => {
  const { status, body } = await create({
    ...{ first_due_date: '01-12-2099', second_due_date: '01-05-2100', second_total: 2000 },
  });
  expect([status, body.children.second_due_date.errors]).toEqual([
    400,
    ['The second due date must be at most 99 days after the first, so 31-12-2099 at the latest.'],
  ]);
});

describe('refuses and names a field that would redirect money:', () => {
  test('refuses and names transfer_to, inside the wrapper or next to it, unless it is null', async () => {
    const body = paymentRequestBody(service);
    const splits = [{ account: 'B', percentage: 10 }];
    const inside = { payment_request: { ...body.payment_request, transfer_to: splits } };
    for (const one of [inside, { ...body, transfer_to: splits }]) {
      const answer = await service.call('POST', '/payment-request', { body: one });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('"transfer_to" is not supported');
    }
    const empty = { payment_request: { ...body.payment_request, transfer_to: null } };
    const taken = await service.call('POST', '/payment-request', { body: empty });
    expect(taken.status).toBe(201);
  });

  test.each([
    ['GET', '/payment-request'],
    ['POST', '/payment-request'],
    ['GET', '/bucket-url'],
  ])('refuses and names X-Connect-Account on %s %s', async (method, path) => {
    const answer = await service.call(method, path, {
      headers: { 'x-connect-account': 'B' },
      ...(method === 'POST' && { body: paymentRequestBody(service) }),
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('X-Connect-Account is not supported');
  });
});

describe('an unknown query parameter', () => {
  test.each([
    ['/payment-request?stat=paid', '"stat"', 'The call takes page, limit, after, id'],
    ['/payment-request/1?detail_retention=true', '"detail_retention"', 'detail_retentions'],
    ['/account/balances?day=1', '"day"', 'The call takes none.'],
    ['/status/A1B2C3D4-x?x=1', '"x"', 'The call takes none.'],
  ])(
    'refuses an unknown query parameter and names the allowed ones: %s',
    async (path, name, allowed) => {
      const { status, text, body } = await service.call('GET', path);
      expect(status, text).toBe(400);
      expect(body.message).toContain(
        `${name} is not a query parameter of this call`.replaceAll(']', ')'),
      );
      expect(body.message).toContain(allowed);
    },
  );

  test('ignores unknown query parameters at addresses with a token', async () => {
    const { body } = await create({});
    for (const url of [body.checkout_url, body.pdf_url, body.barcode_url]) {
      const answer = await fetch(`${url}?utm_source=mail`);
      expect(answer.status, url).toBe(200);
      await answer.arrayBuffer();
    }
  });
});

test.each(['/payment-request', '/save-qr-data'])(
  'refuses a compressed body to %s with a 415 that explains it',
  async (path) => {
    const answer = await rawCall(service.origin, {
      ...{ method: 'POST', path, body: Buffer.from('x') },
      headers: {
        authorization: `Bearer ${service.config.SANDBOX_API_KEY}`,
        'content-encoding': 'gzip',
        'content-type': 'application/json',
      },
    });
    expect(answer.status, answer.text).toBe(415);
    expect(answer.text).toContain('must not be compressed');
  },
);

test.each([
  ['DELETE', '/payment-request', 'GET, HEAD, POST'],
  ['POST', '/payment-request/1', 'GET, HEAD'],
  ['GET', '/debit-request/1/cancel', 'PUT'],
  ['OPTIONS', '/payment-request', 'GET, HEAD, POST'],
  ['PATCH', '/account', 'GET, HEAD'],
  ['PUT', '/save-qr-data', 'POST'],
])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
  const answer = await service.call(method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  expect(answer.body.message).toBe(`This path does not accept ${method}. It accepts ${allow}.`);
});

test('reports a card mandate’s missing number along with its other faults', async () => {
  const { status, body } = await service.call('POST', '/card-adhesion', {
    body: { card_adhesion: { email: 'ana' } },
  });
  expect(status).toBe(400);
  expect(Object.keys(body.children).filter((name) => body.children[name].errors)).toEqual([
    ...['adhesion_holder_name', 'email', 'card_holder_name', 'card_number', 'description'],
  ]);
});

test('returns paid_at, the last unrefunded payment’s id, and an empty holder_email without an e-mail', async () => {
  const { body: made } = await create({ payer_email: undefined });
  const pay = () =>
    service.call('POST', `/sandbox/pay/${made.id}`, { body: { channel: 'non_banking' } });
  expect(made).not.toHaveProperty('paid_at');
  await pay();
  const { body: paid } = await pay();
  const [first, last] = paid.request_result;
  expect(paid).toMatchObject({
    holder_data: { holder_email: '' },
    paid_at: last.paid_at,
    request_result_id: last.id,
  });
  const { body: listed } = await service.call('GET', `/payment-request?id=${made.id}`);
  expect(listed.data[0]).toMatchObject({ paid_at: last.paid_at, request_result_id: last.id });
  await service.call('POST', `/sandbox/refund/${made.id}`, { body: { result_id: last.id } });
  const { body: left } = await service.call('GET', `/payment-request/${made.id}`);
  expect(left.request_result_id).toBe(first.id);
  await service.call('POST', `/sandbox/refund/${made.id}`, { body: { result_id: first.id } });
  const { body: gone } = await service.call('GET', `/payment-request/${made.id}`);
  expect(gone).not.toHaveProperty('request_result_id');
  const card = await create({ payer_email: undefined });
  const { body: byCard } = await service.call('POST', `/sandbox/pay/${card.body.id}`, {
    body: { channel: 'credit_card' },
  });
  expect(byCard.request_result[0].payment_metadata.holder_email).toBe('');
});
