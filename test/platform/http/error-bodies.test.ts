import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpLimitsOf, readConfig } from '../../../src/config/index.ts';
import { wallClock } from '../../../src/platform/clocks.ts';
import { Refusal, type RefusalKind, refusalStatuses } from '../../../src/platform/errors.ts';
import { errorText } from '../../../src/platform/http/answers.ts';
import { createHttp } from '../../../src/platform/http/server.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createMemoryBudget } from '../../../src/platform/memory-budget.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { answerAsQrService } from '../../../src/qr/errors/answers.ts';
import { inDays } from '../../harness/builders/clock.ts';
import { paymentRequestBody } from '../../harness/builders/payment-requests.ts';
import { cutErrors, expectErrorText } from '../../harness/errors.ts';
import { type Answer, startService, type TestService } from '../../harness/service.ts';
import { rawCall } from './raw.ts';

let service: TestService;
let operations: { method: string; path: string }[];
beforeAll(async () => {
  service = await startService();
  const { body } = await service.call('GET', '/openapi.json', { key: null });
  operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
});
afterAll(() => service.stop());

const expectAny = (answer: Answer): void => {
  if (answer.status < 400) return;
  expect(answer.headers.get('content-type'), answer.text).toBe('application/json; charset=utf-8');
  expectErrorText(answer.text);
};

/** Values that messages might repeat, including brackets and quotes. */
const word = fc.oneof(
  fc.constantFrom(']', '[', '"errors":[', '"],"x":[', '0', '-1', '99999999', 'A1B2C3D4-x', ''),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  word,
  fc.integer(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(word, fc.array(word, { maxLength: 2 }), { maxKeys: 2 }),
);

/** Bodies close to those that the calls accept. */
const body = fc.oneof(
  fc.constantFrom(undefined, '', '{', '[]', '{}', '\ud800', 'null', '{"a":1}}'),
  fc
    .tuple(
      fc.constantFrom('payment_request', 'debit_request', 'adhesion', 'webhook', 'data', 'x'),
      fc.dictionary(
        fc.constantFrom('excluded_channels', 'items', 'url', 'event_types', 'first_total', 'id'),
        value,
      ),
    )
    .map(([wrapper, fields]) =>
      JSON.stringify({ [wrapper]: wrapper === 'data' ? [fields] : fields, total_count: 1 }),
    ),
);

describe('"errors" comes first, so that clients can cut it out up to the first bracket', () => {
  test('puts "errors" first for every call, with any parameters, body and headers', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(word, { minLength: 3, maxLength: 3 }),
        body,
        fc.constantFrom(undefined, 'text/plain', 'application/json; charset=latin1'),
        fc.constantFrom(undefined, null, 'wrong]key', ''),
        async (at, words, text, type, key) => {
          const operation = operations[at % operations.length];
          if (!operation) return;
          let next = 0;
          const named = operation.path.replace(/\{\w+\}/g, () =>
            encodeURIComponent((words[next++] || '0').toWellFormed()),
          );
          const answer = await service.call(operation.method, named, {
            ...(operation.method !== 'GET' && text !== undefined && { body: text }),
            ...(key !== undefined && { key }),
            ...(type !== undefined && { headers: { 'content-type': type } }),
          });
          seen.add(answer.status);
          expectAny(answer);
        },
      ),
      { numRuns: 400, seed: 12, endOnFailure: true },
    );
    // Guards the property itself: it must produce errors of many kinds.
    for (const status of [400, 401, 404, 415]) expect(seen).toContain(status);
  });

  test.each([
    [400, 'invalid_json', { method: 'POST', path: '/payment-request', body: Buffer.from('{]') }],
    [400, 'body_not_utf8', { method: 'POST', path: '/save-qr', body: Buffer.from([0xff]) }],
    [400, 'body_not_object', { method: 'POST', path: '/adhesion', body: Buffer.from('[]') }],
    [400, 'wrapper_missing', { method: 'POST', path: '/adhesion', body: Buffer.from('{"a":1}') }],
    [
      400,
      'wrapper_not_object',
      { method: 'POST', path: '/adhesion', body: Buffer.from('{"adhesion":1}') },
    ],
    [400, 'invalid_fields', { method: 'GET', path: '/payment-request?page=0' }],
    [400, 'unknown_query_parameter', { method: 'GET', path: '/payment-request?pages=1' }],
    [400, 'invalid_url', { method: 'GET', path: '/payment-request/%zz' }],
    [404, 'path_not_found', { method: 'GET', path: '/nothing/]' }],
    [404, 'path_not_found', { method: 'GET', path: `/status/${'x'.repeat(300)}` }],
    [405, 'method_not_allowed', { method: 'PATCH', path: '/payment-request' }],
    [
      413,
      'body_too_large',
      { method: 'POST', path: '/adhesion', body: Buffer.alloc(1_048_577, ' ') },
    ],
    [403, null, { method: 'PUT', path: '/qr-upload/x', body: Buffer.from('') }],
  ] as const)('puts "errors" first in a %i %s', async (status, code, call) => {
    const headers = { authorization: `Bearer ${service.config.SANDBOX_API_KEY}` };
    const answer = await rawCall(service.origin, { ...call, headers });
    expect(answer.status, answer.text).toBe(status);
    expectAny(answer);
    if (code !== null) expect(answer.body.error_code).toBe(code);
  });

  test.each(['payments', 'QR'])(
    'puts "errors" first for every kind of refusal, and for unexpected errors, in the %s service',
    async (name) => {
      const app = createHttp({
        log: createLog('silent'),
        metrics: createMetrics(),
        wall: wallClock,
        budget: createMemoryBudget(1_000_000),
        ...httpLimitsOf(readConfig({})),
      });
      const kinds = Object.keys(refusalStatuses) as RefusalKind[];
      await app.register(async (scope) => {
        if (name === 'QR') answerAsQrService(scope, createLog('silent'));
        scope.get<{ Params: { kind: RefusalKind } }>('/:kind', ({ params: { kind } }) => {
          if (kinds.includes(kind)) throw new Refusal(kind, 'It has a ] and a [ "errors":[ in it.');
          if (kind === ('away' as string)) {
            throw Object.assign(new Error('] gone'), { code: '08006' });
          }
          throw new Error('a ] that nobody foresaw');
        });
      });
      for (const kind of [...kinds, 'away', 'unforeseen']) {
        const answer = await app.inject({ url: `/${kind}` });
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expectErrorText(answer.payload, { coded: false });
        const ours = { away: 'database_unreachable', unforeseen: 'internal_error' };
        const code = ours[kind as keyof typeof ours];
        if (code) expect(answer.json().error_code).toBe(code);
      }
      await app.close();
    },
  );

  test('puts "errors" first with any messages', () => {
    fc.assert(
      fc.property(word, word, word, (message, name, other) => {
        const text = errorText({
          code: 400,
          message: `${message}.`,
          children: { first: {}, [`a${name}`.replace(/[[\]]/g, '')]: { errors: [`${other}.`] } },
        });
        expectErrorText(text, { coded: false });
      }),
      { seed: 12 },
    );
  });
});

describe('faults in a list of scalars', () => {
  test('reports a list’s faults at the field, with each wrong value, and at its index', async () => {
    const wrong = ['cash', 'credit_card', 'x]"errors":[', 7];
    const { body, text } = await service.call('POST', '/payment-request', {
      body: paymentRequestBody(service, { excluded_channels: wrong }),
    });
    const { errors, children } = body.children.excluded_channels;
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatch(/"cash"/);
    expect(errors[2]).toMatch(/The value 7 is not allowed\. .*credit_card_agro\.$/);
    expect(Object.keys(children)).toEqual(['0', '2', '3']);
    // A client that cuts the text out displays every sentence with its field.
    expect(JSON.parse(`[${cutErrors(text)}]`)).toEqual(body.errors);
    expect(body.errors).toEqual(
      errors.map((one: string) =>
        `excluded_channels: ${one}`.replaceAll(']', ')').replaceAll('[', '('),
      ),
    );
  });

  test('names a repeated wrong value once, and shortens a long one', async () => {
    const long = '😀'.repeat(500);
    const { body } = await service.call('POST', '/payment-request', {
      body: paymentRequestBody(service, { excluded_channels: ['a', 'a', long] }),
    });
    const { errors, children } = body.children.excluded_channels;
    expect(errors).toHaveLength(2);
    expect(Object.keys(children)).toEqual(['0', '1', '2']);
    expect(errors[1].length).toBeLessThan(300);
  });
});

test.each(['credit_card_agro', 'CREDIT_CARD_AGRO'])(
  'allows excluding %s, but does not count it as a channel that can pay',
  async (agro) => {
    const excluded = [agro, 'debit_card'];
    const { status, body } = await service.call('POST', '/payment-request', {
      body: paymentRequestBody(service, { excluded_channels: excluded }),
    });
    expect(status).toBe(201);
    expect(body.excluded_channels).toEqual(excluded);
    // It excludes nothing further, and is not a channel that can pay.
    const all = 'credit_card debit_card banelco_pmc link_pagos DEBIN wire_transfer non_banking qr';
    const refused = await service.call('POST', '/payment-request', {
      body: paymentRequestBody(service, { excluded_channels: [...all.split(' '), agro] }),
    });
    expect(refused.body.children.excluded_channels.errors[0]).toMatch(
      /^The request excludes every channel/,
    );
  },
);

test('reports faults of fields, of a list and of its items together', async () => {
  const { body } = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service, {
      second_due_date: inDays(service, 20),
      items: ['x', { amount: 1 }],
    }),
  });
  expect(body.errors).toEqual([
    expect.stringMatching(/^second_total: This field is required when/),
    'items: The value "x" is not allowed. This value must be a JSON object, not a string.',
    expect.stringMatching(/^items\.1\.description: This field is required\./),
  ]);
});
