import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectFaults } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (fields: Record<string, unknown>, headers = {}) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields), headers });

/**
 * Posts a valid body in which one field is raw JSON text, such as a number that JavaScript cannot
 * write.
 */
const postLiteral = (name: string, literal: string) => {
  const body = JSON.stringify(paymentRequestBody(service, { [name]: '@@' }));
  return service.call('POST', '/payment-request', { body: body.replace('"@@"', () => literal) });
};

type Case = [what: string, value: unknown, message: RegExp];

const textCases = (max: number): Case[] => [
  ['blank', ' \u00a0\t', /^This value must not be blank\. .*1 to \d+ characters\.$/],
  ['a number', 12, /^This value must be a string, not a number\.$/],
  ['a boolean', true, /^This value must be a string, not a boolean\.$/],
  ['a list', ['x'], /^This value must be a string, not a list\.$/],
  ['an object', { a: 1 }, /^This value must be a string, not an object\.$/],
  ['NUL', 'a\u0000b', /must not contain control characters/],
  ['a right-to-left override', 'a\u202eb', /writing direction .* it contains U\+202E\.$/],
  ['an isolate', 'a\u2066b\u2069', /writing direction .* it contains U\+2066\.$/],
  ['DEL', 'a\u007fb', /must not contain control characters/],
  ['a C1 character', 'a\u0085b', /must not contain control characters/],
  [
    'a lone surrogate',
    'a\ud83d',
    /^This text is not valid Unicode: it contains a lone surrogate\.$/,
  ],
  ['one code point too many', '😀'.repeat(max + 1), new RegExp(`at most ${max} .* ${max + 1}\\.$`)],
];

const lineBreaks: Case[] = [
  [
    'a line break',
    'a\nb',
    /^This text must not contain control characters, such as line breaks\.$/,
  ],
];

const amountCases: Case[] = [
  ['zero', 0, /^This amount must be at least 0\.01\.$/],
  ['zero in text', '0.00', /^This amount must be at least 0\.01\.$/],
  ['minus zero', '-0', /^This amount must be at least 0\.01\.$/],
  ['a negative amount', -5, /^This amount must be at least 0\.01\.$/],
  ['a negative text', '-0.01', /^This amount must be at least 0\.01\.$/],
  ['three decimals', 1.005, /^This amount has more than 2 decimals\. .*0\.01 to 99999999\.99/],
  ['three decimals in text', '1.005', /^This amount has more than 2 decimals\./],
  ['nine integer digits', 100_000_000, /^This amount has more than 8 integer digits\./],
  ['nine integer digits in text', '100000000.00', /^This amount has more than 8 integer digits\./],
  ['a huge number', 1e300, /^This amount has more than 8 integer digits\./],
  ...['1e2', 'NaN', 'Infinity', '0x10', ' 10', '10 ', '1,50', '+1', '1.', '.5', '１０', 'ten'].map(
    (text): Case => [
      `the text "${text}"`,
      text,
      new RegExp(
        `^${RegExp.escape(JSON.stringify(text))} is not an amount: use a decimal point and no thousands separator, as in 1430\\.50\\.$`,
      ),
    ],
  ),
  [
    'a boolean',
    true,
    /^This value must be a number or a string such as "1430\.50", not a boolean\./,
  ],
  ['a list', [1], /^This value must be a number or a string such as "1430\.50", not a list\./],
  [
    'an object',
    { amount: 1 },
    /^This value must be a number or a string such as "1430\.50", not an object\./,
  ],
];

const dayCases: Case[] = [
  ['30-02-2027', '30-02-2027', /This day does not exist: February 2027 has 28 days\.$/],
  ['31-04-2027', '31-04-2027', /: April 2027 has 30 days\.$/],
  ['29-2-2027', '29-2-2027', /: February 2027 has 28 days\.$/],
  ['00-01-2027', '00-01-2027', /: January 2027 has 31 days\.$/],
  ['01-13-2027', '01-13-2027', /: there is no month 13\.$/],
  ['01-00-2027', '01-00-2027', /: there is no month 0\.$/],
  ['01-01-0000', '01-01-0000', /: years begin with 0001\.$/],
  ['2027-03-01', '2027-03-01', /format dd-mm-yyyy\. Write it as 01-03-2027\.$/],
  ...['01-03-27', '01/03/2027', ' 01-03-2027', '01-03-2027T00:00:00', '001-03-2027'].map(
    (day): Case => [day, day, /format dd-mm-yyyy\. Write it as 05-12-2026\.$/],
  ),
  ['a number', 1_032_027, /^This value must be a string such as "05-12-2026", not a number\.$/],
];

const urlCases: Case[] = [
  ...[
    '/thanks',
    'www.example.com',
    'javascript:alert(1)',
    'ftp://example.com',
    'https://',
    'http:x',
  ]
    .concat('//example.com/x', 'https://exa mple.com', ' https://example.com')
    .map((url): Case => [url, url, /absolute URL that begins with http:\/\/ or https:\/\/\.$/]),
  ['256 characters', `https://example.com/${'a'.repeat(236)}`, /at most 255 .* 256\.$/],
  ['a line break', 'https://example.com/\nx', /must not contain control characters/],
];

const singleFields: Record<string, Case[]> = {
  description: textCases(500),
  payer_name: [...textCases(255), ...lineBreaks],
  external_reference: [...textCases(255), ...lineBreaks],
  first_due_date: dayCases,
  first_total: amountCases,
  payer_email: [
    ...['ana', 'ana@', '@example.com', 'ana@example', 'a b@example.com', 'ana@ex@ample.com']
      .concat('Ana <ana@example.com>', 'ana@example..com', 'ana@example.com,luz@example.com')
      .map((email): Case => [email, email, /^This value must be an e-mail address such as/]),
    ['256 characters', `${'a'.repeat(244)}@example.com`, /at most 255 .* 256\.$/],
  ],
  back_url_success: urlCases,
  back_url_pending: urlCases,
  back_url_rejected: urlCases,
  excluded_channels: [
    ['a text', 'DEBIN', /^This value must be a list, not a string\.$/],
    [
      'every channel',
      allChannels(),
      /^The request excludes every channel, so no one could pay it\. Allow at least one/,
    ],
    ['101 values', Array(101).fill('DEBIN'), /at most 100 values; 101 were sent\.$/],
  ],
  excluded_card_brands: [['an object', {}, /^This value must be a list, not an object\.$/]],
  excluded_installments: [['a number', 3, /^This value must be a list, not a number\.$/]],
  metadata: [
    ['a text', 'x', /^This value must be a JSON object, not a string\.$/],
    ['a list', [], /^This value must be a JSON object, not a list\.$/],
    ['a number', 5, /^This value must be a JSON object, not a number\.$/],
    ['NUL in a value', { a: ['\u0000'] }, /must not contain NUL characters or lone surrogates\.$/],
    [
      'NUL in a name',
      { b: { '\u0000': 1 } },
      /must not contain NUL characters or lone surrogates\.$/,
    ],
    ['a lone surrogate', { a: '\udc00' }, /must not contain NUL characters or lone surrogates\.$/],
    ['a lone surrogate as name', { '\ud800': 1 }, /must not contain NUL characters or lone/],
    ['16385 bytes', { a: 'x'.repeat(16_377) }, /at most 16384 bytes long as JSON; it is 16385\.$/],
    ['16385 bytes, few characters', { a: `${'ñ'.repeat(8188)}x` }, /it is 16385\.$/],
    ['101 levels', nested(101), /must not be nested more than 100 levels deep\.$/],
  ],
  items: [
    ['an object', { description: 'x', amount: 1 }, /^This value must be a list, not an object\.$/],
    ['101 items', Array(101).fill({ description: 'x', amount: 1 }), /at most 100 values; 101 were/],
  ],
};

function allChannels(): string[] {
  const written =
    'CREDIT_CARD,Debit_Card,banelco_pmc,LINK_pagos,debin,wire_transfer,NON_BANKING,Qr';
  return written.split(',');
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

for (const [name, cases] of Object.entries(singleFields)) {
  describe(`an invalid ${name}`, () => {
    test.each(cases)(`refuses ${name}: %s`, async (_what, value, message) => {
      const answer = await post({ [name]: value });
      expectFaults(answer, [name]);
      expect(answer.body.children[name].errors).toEqual([expect.stringMatching(message)]);
    });
  });
}

describe('validates a JSON number by its digits, before JavaScript can round it', () => {
  test.each([
    ['1e400', /more than 8 integer digits/],
    ['1e99999999999999999999', /more than 8 integer digits/],
    ['-1e400', /more than 8 integer digits/],
    ['1e-400', /at least 0\.01/],
    ['10.00001', /more than 2 decimals/],
    ['99999999.991', /more than 2 decimals/],
    ['9007199254740993', /more than 8 integer digits/],
    ['0e500', /at least 0\.01/],
  ])('refuses the amount %s', async (literal, message) => {
    const answer = await postLiteral('first_total', literal);
    expectFaults(answer, ['first_total']);
    expect(answer.body.children.first_total.errors).toEqual([expect.stringMatching(message)]);
  });
});

describe('requires a field', () => {
  test.each(['description', 'first_due_date', 'first_total', 'payer_name'])(
    'requires %s',
    async (name) => {
      for (const value of [undefined, null, '']) {
        const answer = await post({ [name]: value });
        expectFaults(answer, [name]);
        expect(answer.body.children[name].errors).toEqual([
          expect.stringMatching(/^This field is required\. It must be .*\.$/),
        ]);
      }
    },
  );
});

describe('the due dates and totals', () => {
  const faultOf = async (fields: Record<string, unknown>, name: string): Promise<string> => {
    const answer = await post(fields);
    expectFaults(answer, [name]);
    return answer.body.children[name].errors[0];
  };

  test('refuses yesterday as a due date and names today', async () => {
    expect(await faultOf({ first_due_date: inDays(service, -1) }, 'first_due_date')).toBe(
      `The first due date must be today, ${inDays(service, 0)}, or later.`,
    );
  });
  test('refuses a due year that does not fit in a barcode', async () => {
    for (const day of ['01-01-2100', '31-12-9999']) {
      expect(await faultOf({ first_due_date: day }, 'first_due_date')).toBe(
        'The due date must be 31-12-2099 or earlier.',
      );
    }
  });
  test('requires a second due date and a second total together', async () => {
    expect(await faultOf({ second_due_date: inDays(service, 20) }, 'second_total')).toMatch(
      /required when "second_due_date" is sent/,
    );
    expect(await faultOf({ second_total: 2000 }, 'second_due_date')).toMatch(
      /required when "second_total" is sent/,
    );
  });
  test('requires the second due date after the first', async () => {
    for (const days of [10, 9]) {
      const fields = { second_due_date: inDays(service, days), second_total: 2000 };
      expect(await faultOf(fields, 'second_due_date')).toBe(
        `The second due date must be later than the first, ${inDays(service, 10)}.`,
      );
    }
  });
  test('refuses a second due date more than 99 days after the first, and names the latest one', async () => {
    const fields = { second_due_date: inDays(service, 110), second_total: 2000 };
    expect(await faultOf(fields, 'second_due_date')).toContain(
      `at most 99 days after the first, so ${inDays(service, 109)} at the latest.`,
    );
  });
  test('requires a second total that is not below the first', async () => {
    const fields = { second_due_date: inDays(service, 20), second_total: 1430.49 };
    expect(await faultOf(fields, 'second_total')).toBe(
      'The second total must not be lower than the first, 1430.50.',
    );
  });
  test('validates the second due date and total like the first', async () => {
    for (const [what, value, message] of amountCases) {
      const answer = await post({ second_due_date: inDays(service, 20), second_total: value });
      expectFaults(answer, ['second_total']);
      expect(answer.body.children.second_total.errors[0], what).toMatch(message);
    }
    for (const [what, value, message] of dayCases) {
      const answer = await post({ second_due_date: value, second_total: 2000 });
      expectFaults(answer, ['second_due_date']);
      expect(answer.body.children.second_due_date.errors[0], what).toMatch(message);
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
