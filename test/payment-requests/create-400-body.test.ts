import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError, expectFaults } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (fields: Record<string, unknown>, headers = {}) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields), headers });

/** Posts a valid body in which one field is raw JSON text, such as a deeply nested array. */
const postLiteral = (name: string, literal: string) => {
  const body = JSON.stringify(paymentRequestBody(service, { [name]: '@@' }));
  return service.call('POST', '/payment-request', { body: body.replace('"@@"', () => literal) });
};

describe('reports a list’s faults at the list, by value, and at the index', () => {
  test.each([
    [
      'excluded_channels',
      ['DEBIN', 'cash'],
      /^This value must be one of: .*credit_card, .*, credit_card_agro\.$/,
    ],
    ['excluded_channels', ['DEBIN', 5], /^This value must be one of:/],
    ['excluded_card_brands', ['39', true], /^This value must be a string, not a boolean\.$/],
    ['excluded_card_brands', [39, 1.5], /^This value must be a string, not a number\.$/],
    ['excluded_card_brands', ['39', 'x'.repeat(21)], /at most 20 characters; it has 21\.$/],
    ['excluded_card_brands', ['39', null], /^This value must be a string, not null\.$/],
    ['excluded_card_brands', ['39', ''], /must not be blank/],
    ...[0, -1, 1.5, '3', null, 1000].map((value): [string, unknown[], RegExp] => [
      'excluded_installments',
      [3, value],
      /must be a whole number from 1 to 999\.$/,
    ]),
    [
      'items',
      [{ description: 'x', amount: 1 }, null],
      /^This value must be a JSON object, not null\.$/,
    ],
    [
      'items',
      [{ description: 'x', amount: 1 }, 'x'],
      /^This value must be a JSON object, not a string\.$/,
    ],
  ])('reports the fault of %s = %j by value and index', async (name, value, message) => {
    const answer = await post({ [name]: value });
    expectFaults(answer, [name]);
    const { errors, children } = answer.body.children[name];
    const code = expect.stringMatching(/^field\./);
    expect(children).toEqual({ 1: { errors: [expect.stringMatching(message)], codes: [code] } });
    const shown = typeof value[1] === 'object' ? 'null' : JSON.stringify(value[1]).slice(0, 20);
    expect(errors).toEqual([expect.stringContaining(`The value ${shown}`)]);
    expect(errors[0]).toContain(children[1].errors[0]);
    expect(answer.body.errors).toEqual([`${name}: ${errors[0]}`]);
  });

  test('reports faults of items in the same tree, one level deeper', async () => {
    const good = { quantity: 1, description: 'x', amount: 1 };
    const items = [
      good,
      { quantity: 0, amount: '1e2' },
      good,
      { description: 'x\u0000', amount: -1 },
    ];
    const answer = await post({ items });
    expectFaults(answer, ['items']);
    expect(answer.body.children.items).toEqual({
      children: {
        1: {
          children: {
            quantity: {
              errors: [expect.stringMatching(/^This number is too small\. It must be/)],
              codes: ['field.out_of_range'],
            },
            description: {
              errors: [expect.stringMatching(/^This field is required\./)],
              codes: ['field.required'],
            },
            amount: {
              errors: [expect.stringMatching(/^"1e2" is not an amount: /)],
              codes: ['field.not_amount'],
            },
          },
        },
        3: {
          children: {
            quantity: {},
            description: {
              errors: [expect.stringMatching(/control characters/)],
              codes: ['field.control_characters'],
            },
            amount: {
              errors: ['This amount must be at least 0.00.'],
              codes: ['field.amount_too_small'],
            },
          },
        },
      },
    });
    const names = Object.keys(answer.body.children.items.children[1].children);
    expect(names).toEqual(['quantity', 'description', 'amount']);
  });

  test.each([1.5, '2', true, [1]])('refuses an item quantity of %j', async (quantity) => {
    const answer = await post({ items: [{ quantity, description: 'x', amount: 1 }] });
    expectFaults(answer, ['items']);
    expect(answer.body.children.items.children[0].children.quantity.errors[0]).toMatch(
      /^This value must be a whole number/,
    );
  });

  test.each([0, -1, 1e9, 1e21])(
    'refuses an item quantity of %j as out of bounds',
    async (quantity) => {
      const answer = await post({ items: [{ quantity, description: 'x', amount: 1 }] });
      expect(answer.body.children.items.children[0].children.quantity.errors).toEqual([
        `This number is too ${quantity < 1 ? 'small' : 'large'}. It must be a whole number from 1 to 999999999.`,
      ]);
    },
  );

  test('limits an item description to 255 characters', async () => {
    const answer = await post({ items: [{ description: 'ñ'.repeat(256), amount: 1 }] });
    const { errors } = answer.body.children.items.children[0].children.description;
    expect(errors).toEqual(['This text must have at most 255 characters; it has 256.']);
  });
});

test('reports all wrong fields at once, in the form’s order', async () => {
  const wrong = {
    items: [{}],
    metadata: [],
    excluded_installments: [0],
    excluded_card_brands: [{}],
    excluded_channels: ['x'],
    back_url_rejected: 'x',
    back_url_pending: 'x',
    back_url_success: 'x',
    payer_email: 'x',
    second_total: 'x',
    second_due_date: 'x',
    external_reference: '\u0000',
    payer_name: ' ',
    first_total: 'x',
    first_due_date: 'x',
    description: 5,
  };
  const answer = await service.call('POST', '/payment-request', {
    body: { payment_request: wrong },
  });
  expectFaults(answer, Object.keys(wrong));
});

test('reports only the required fields for an empty form', async () => {
  const answer = await service.call('POST', '/payment-request', { body: { payment_request: {} } });
  expectFaults(answer, ['description', 'first_due_date', 'first_total', 'payer_name']);
  const cut = answer.text.slice(answer.text.indexOf('"errors":[') + 10, answer.text.indexOf(']'));
  expect(JSON.parse(`[${cut}]`)).toEqual(answer.body.errors);
  expect(answer.body.errors).toHaveLength(4);
});

test('reports conflicts between fields together with faults of other fields', async () => {
  const answer = await post({ payer_email: 'x', second_total: 2000, first_total: 0 });
  expectFaults(answer, ['first_total', 'second_due_date', 'payer_email']);
});

describe('requires an object as the wrapping member', () => {
  const bodies = ['{}', '[]', '[{"payment_request":{}}]', 'null', '5', '"x"', 'true', '1e400', ''];
  const members = ['null', '5', '"x"', '[]', '1e400'].map(
    (value) => `{"payment_request":${value}}`,
  );
  test.each([
    ...bodies,
    ...members,
    '{"Payment_request":{}}',
    '{"__proto__":{"payment_request":{}}}',
  ])('refuses the body %s', async (body) => {
    const answer = await service.call('POST', '/payment-request', { body });
    expectError(answer, 400);
    expect(answer.body.message).toContain('"payment_request"');
    expect(answer.body.children).toBeUndefined();
  });
});

describe('answers deep nesting with an ordinary 400', () => {
  const many = 200_000;
  const lists = '['.repeat(many) + ']'.repeat(many);
  const objects = `${'{"a":'.repeat(many / 2)}1e400${'}'.repeat(many / 2)}`;
  test.each(['metadata', 'items', 'excluded_channels', 'description', 'first_total'])(
    'refuses deep nesting in %s, before parsing',
    async (name) => {
      for (const bomb of [lists, objects]) {
        const answer = await postLiteral(name, bomb);
        expectError(answer, 400);
        expect(answer.body.message).toContain('More than 200 objects and arrays');
      }
    },
  );
  test('refuses metadata nested more than 100 levels deep', async () => {
    const deep = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const answer = await postLiteral('metadata', deep);
    expectFaults(answer, ['metadata']);
    expect(answer.body.children.metadata.errors[0]).toContain('100 levels');
  });
  test('refuses a deeply nested body, closed or not', async () => {
    for (const body of [lists, '['.repeat(many), objects, '{"a":'.repeat(many)]) {
      expectError(await service.call('POST', '/payment-request', { body }), 400);
    }
  });
});

test('refuses an invalid call with an idempotency key', async () => {
  const answer = await post({ first_total: 0 }, { 'idempotency-key': 'refused' });
  expectFaults(answer, ['first_total']);
});

test('leaves no request, event or key after any of these calls', async () => {
  expect(await stored(service.sql)).toEqual({ requests: 0, events: 0, keys: 0 });
});

test.each([
  ['{"payment_request":{"first_total":10,"first_total":1000}}', 'first_total'],
  ['{"payment_request":{"metadata":{"a":{"b":1,"b":2}}}}', 'b'],
])('refuses %s with a duplicate member', async (body, name) => {
  const answer = await service.call('POST', '/payment-request', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toBe(`The body names "${name}" twice in one object: send it once.`);
});
