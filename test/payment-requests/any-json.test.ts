import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createdAnswer } from '../../src/payment-requests/answers.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError, fieldsInOrder } from '../harness/errors.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let createdCalls = 0;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const created = Compile(createdAnswer);

/** Requires an answer that either creates a readable request or refuses in the error format. */
async function expectSane(answer: Answer): Promise<void> {
  if (answer.status !== 201) {
    expectError(answer, 400);
    return;
  }
  createdCalls += 1;
  expect([...created.Errors(answer.body)]).toEqual([]);
  const got = await service.call('GET', `/payment-request/${answer.body.id}`);
  expect(got.text).toBe(answer.text.replace(/}$/, ',"request_result":[]}'));
}

const send = (body: unknown) =>
  service.call('POST', '/payment-request', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const anyJson = fc.jsonValue({
  stringUnit: 'binary',
  noUnicodeString: false,
  maxDepth: 4,
} as object);
const amountLike = fc.oneof(
  fc.double(),
  fc.integer({ min: -10, max: 200_000_000 }).map((n) => n / 100),
  fc.integer({ min: 0, max: 9_999_999_999 }).map((n) => (n / 100).toFixed(2)),
  fc.constantFrom('1e2', '0', '-1', ' 1', '１', '1.', 1e21, 1e-7, Number.MAX_VALUE, 5e-324),
);
const dayLike = fc.oneof(
  fc.integer({ min: -3, max: 130 }).map((days) => inDays(service, days)),
  fc.stringMatching(/^\d\d-\d\d-\d{4}$/),
  fc.constantFrom('29-02-2028', '30-02-2028', '31-12-9999', '01-01-0000', '31-12-2099'),
);
const item = fc.record(
  { quantity: fc.oneof(fc.integer(), anyJson), description: anyText, amount: amountLike },
  { requiredKeys: [] },
);
const likely: Record<string, fc.Arbitrary<unknown>> = {
  first_due_date: dayLike,
  second_due_date: dayLike,
  first_total: amountLike,
  second_total: amountLike,
  payer_email: fc.oneof(fc.emailAddress(), anyText),
  back_url_success: fc.oneof(fc.webUrl(), anyText),
  back_url_pending: fc.oneof(fc.webUrl({ withQueryParameters: true }), anyText),
  back_url_rejected: fc.oneof(fc.webUrl({ withFragments: true }), anyText),
  excluded_channels: fc.array(
    fc.oneof(fc.constantFrom('DEBIN', 'qr', 'QR', 'credit_card'), anyText),
  ),
  excluded_card_brands: fc.array(fc.oneof(fc.constantFrom('39', 41, '43'), fc.integer(), anyJson)),
  excluded_installments: fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), anyJson)),
  metadata: fc.dictionary(fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor')), anyJson),
  items: fc.array(fc.oneof({ weight: 4, arbitrary: item }, anyJson), { maxLength: 5 }),
};
const mutation = fc.record(
  Object.fromEntries(
    fieldsInOrder.map((name) => [name, fc.oneof(likely[name] ?? anyText, anyText, anyJson)]),
  ),
  { requiredKeys: [] },
);
const oneLikely = fc
  .constantFrom(...Object.keys(likely))
  .chain((name) => (likely[name] ?? fc.constant(null)).map((value) => ({ [name]: value })));

test('answers any JSON body with a created request or 400', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (body) => expectSane(await send(JSON.stringify(body)))),
    { numRuns: 150 },
  );
});

test('answers any JSON inside the wrapping member with a created request or 400', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (fields) =>
      expectSane(await send({ payment_request: fields })),
    ),
    { numRuns: 100 },
  );
});

test('answers any text body with a created request or 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => expectSane(await send(text))),
    { numRuns: 100 },
  );
});

test('accepts or cleanly refuses a valid body with changed fields', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(oneLikely, mutation), async (fields) =>
      expectSane(await send(paymentRequestBody(service, fields))),
    ),
    { numRuns: 400 },
  );
});

test('accepts or cleanly refuses a valid body with changed characters', async () => {
  const metadata = { a: [1.5, 'x', null], __proto__x: { b: -1e-7 } };
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.string({ maxLength: 3 }), async (at, cut, put) => {
      const text = JSON.stringify(paymentRequestBody(service, { metadata }));
      const start = at % text.length;
      const body = text.slice(0, start) + put + text.slice(start + (cut % 4));
      await expectSane(await send(body));
    }),
    { numRuns: 200 },
  );
});

test('leaves one row and one event for each 201, and nothing else', async () => {
  expect(createdCalls).toBeGreaterThan(20);
  expect(await stored(service.sql)).toEqual({
    requests: createdCalls,
    events: createdCalls,
    keys: 0,
  });
});
