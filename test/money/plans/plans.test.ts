import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../harness/errors.ts';
import { startService, type TestService } from '../../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('channel-installments', () => {
  const plansFor = (amount: string) =>
    service.call('GET', `/helper/channel-installments/${amount}`);

  test('lists the brands with their codes', async () => {
    const { status, body } = await plansFor('1000');
    expect(status).toBe(200);
    const codes = Object.fromEntries(
      body.map(({ name, code }: { name: string; code: string }) => [name, code]),
    );
    expect(codes).toMatchObject({ Visa: '39', Mastercard: '41', 'American Express': '43' });
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(['Cabal', 'Naranja']));
    for (const code of Object.values(codes)) expect(code).toMatch(/^\d+$/);
    expect(new Set(Object.values(codes)).size).toBe(body.length);
  });

  test('computes each plan’s total from the table, rounded to the centavo', async () => {
    const rows = await service.sql<{ brand: string; installments: number; ppm: number }[]>`
      select brand, installments, coefficient_ppm as ppm from installment_plans
      where brand = 'visa' order by installments`;
    for (const [amount, centavos] of [
      ['1000', 100_000],
      ['0.01', 1],
      ['13.53', 1353],
      ['1430.5', 143_050],
      ['99999999.99', 9_999_999_999],
    ] as const) {
      const { body } = await plansFor(amount);
      expect(Object.keys(body[0])).toEqual(['name', 'code', 'installments']);
      expect(body[0].installments).toEqual(
        rows.map(({ installments, ppm }) => ({
          installments,
          description: expect.stringMatching(/^\d+ cuotas? de \$ \d+\.\d\d$/),
          total_amount:
            Number((BigInt(centavos) * BigInt(ppm) * 2n + 1_000_000n) / 2_000_000n) / 100,
        })),
      );
      expect(body[0].installments[0]).toMatchObject({
        installments: 1,
        description: `1 cuota de $ ${(centavos / 100).toFixed(2)}`,
        total_amount: centavos / 100,
      });
    }
  });

  test('lists a plan as soon as it is in the table', async () => {
    await service.sql`insert into installment_plans values ('visa', 18, 2000000)`;
    const { body } = await plansFor('100.05');
    expect(body[0].installments.at(-1)).toEqual({
      installments: 18,
      description: '18 cuotas de $ 11.12',
      total_amount: 200.1,
    });
    await service.sql`delete from installment_plans where installments = 18`;
  });

  test.each(['0', '0.00', '-1', '1.005', '100000000', '1e2', 'abc', 'NaN', '1,5', ' ', '٣'])(
    'answers 400 for the amount “%s”',
    async (amount) => {
      const answer = await plansFor(encodeURIComponent(amount));
      expectError(answer, 400);
      expect(answer.body.children.amount.errors).toHaveLength(1);
    },
  );
});

describe('next-business-day', () => {
  const ask = (date: unknown, days: unknown) =>
    service.call('POST', '/validator/next-business-day', {
      body: { next_business_day: { date, days } },
    });

  test.each([
    // A weekend, and the following Monday.
    ['21-11-2026', 0, '2026-11-24'], // Saturday; Monday 23 is the moved holiday of the 20th
    ['20-11-2026', 0, '2026-11-20'],
    ['20-11-2026', 1, '2026-11-24'],
    ['24-11-2026', 1, '2026-11-25'],
    ['2026-11-24', 1, '2026-11-25'],
    ['24-11-2026', '1', '2026-11-25'],
    ['24-11-2026', '0', '2026-11-24'],
    // Bridge on Monday 7 and holiday on Tuesday 8 December.
    ['04-12-2026', 1, '2026-12-09'],
    ['05-12-2026', 0, '2026-12-09'],
    // Bank workers' day.
    ['06-11-2026', 0, '2026-11-09'],
    ['05-11-2026', 1, '2026-11-09'],
    // Moved by decree to a Friday, and the bridges of 2025.
    ['09-10-2025', 1, '2025-10-13'],
    ['14-08-2025', 1, '2025-08-18'],
    ['20-11-2025', 1, '2025-11-25'],
    ['30-04-2025', 1, '2025-05-05'],
    // Easter.
    ['27-03-2024', 1, '2024-04-03'],
    ['01-04-2026', 1, '2026-04-06'],
    ['24-03-2027', 0, '2027-03-29'],
    ['23-03-2027', 1, '2027-03-29'],
    // Holidays of 2027.
    ['31-12-2026', 1, '2027-01-04'],
    ['05-02-2027', 1, '2027-02-10'],
    ['18-06-2027', 1, '2027-06-22'],
    ['13-08-2027', 1, '2027-08-17'],
    ['08-10-2027', 1, '2027-10-12'],
    ['07-12-2027', 1, '2027-12-09'],
    ['17-06-2027', 0, '2027-06-17'],
  ])('returns the day for %s plus %j business days: %s', async (date, days, expected) => {
    const answer = await ask(date, days);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toBe(`"${expected}T00:00:00-03:00"`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('accepts up to 366 days, and rejects other values of days', async () => {
    expect((await ask('24-11-2026', 366)).status).toBe(200);
    for (const days of [367, '367', -1, '-1', 1.5, '1.5', '1e2', 'x', true, [1], 1e21]) {
      const answer = await ask('24-11-2026', days);
      expectError(answer, 400);
      expect(answer.body.children.date).toEqual({});
      expect(answer.body.children.days.errors[0]).toContain('from 0 to 366');
    }
  });

  test('adds n business days like n single steps', async () => {
    let day = '2026-11-24';
    for (let step = 1; step <= 12; step += 1) {
      const { body } = await ask(day, 1);
      day = body.slice(0, 10);
      expect((await ask('2026-11-24', step)).body).toBe(body);
    }
  });

  test.each(['30-02-2027', '24/11/2026', '2026-1-1', 24_112_026, 'today'])(
    'answers 400 for the date %j',
    async (date) => {
      const answer = await ask(date, 1);
      expectError(answer, 400);
      expect(Object.keys(answer.body.children)).toEqual(['date', 'days']);
      expect(answer.body.children.date.errors[0]).toMatch(
        /format dd-mm-yyyy or yyyy-mm-dd|February 2027 has 28 days|must be a string such as/,
      );
    },
  );

  test('requires both members and the wrapper', async () => {
    const both = await service.call('POST', '/validator/next-business-day', {
      body: { next_business_day: {} },
    });
    expectError(both, 400);
    expect(both.body.children.date.errors[0]).toMatch(/^This field is required\./);
    expect(both.body.children.days.errors[0]).toMatch(/^This field is required\./);
    const none = await service.call('POST', '/validator/next-business-day', { body: {} });
    expectError(none, 400);
    expect(none.body.message).toContain('"next_business_day"');
  });

  test.each(['31-12-9999', '01-01-0001', '30-12-9999'])(
    'does not answer 500 for the distant day %s',
    async (date) => {
      for (const days of [0, 1, 366]) {
        const answer = await ask(date, days);
        if (answer.status !== 200) expectError(answer, 400);
        else expect(answer.body).toMatch(/^\d{4}-\d\d-\d\dT00:00:00-03:00$/);
      }
    },
  );
});
