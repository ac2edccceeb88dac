import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCalendar } from '../../src/calendar/index.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { inDays, todayOf } from '../harness/builders/clock.ts';
import { createCardDebit, createDebit, getDebit } from '../harness/builders/debits.ts';
import { adhesionBody, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { expectError, faultyFields } from '../harness/errors.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let adhesion: number;
let card: number;
let otherKey: string;
const calendar = createCalendar([]);
beforeAll(async () => {
  service = await startService(withoutWorker);
  adhesion = await signedAdhesion(service, { external_reference: 'socio' });
  card = await signedCardAdhesion(service);
  otherKey = (await anotherAccount(service)).key;
});
afterAll(() => service.stop());

const stored = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select (select count(*) from requests) + (select count(*) from debit_runs)
      + (select count(*) from events where entity like '%debit_request') as count`;
  return Number(row?.count);
};

const firstFault = (answer: Answer, field: string): string => answer.body.children[field].errors[0];

describe('a debit on a bank account', () => {
  test('returns its input and the whole mandate', async () => {
    const { status, body } = await createDebit(service, adhesion, {
      second_due_date: inDays(service, 25),
      second_total: '1500',
      external_reference: 'cuota-12',
      metadata: { a: [1, 2] },
    });
    expect(status).toBe(201);
    const mandate = await service.call('GET', `/adhesion/${adhesion}`);
    const midnight = (days: number) => `${todayOf(service).add({ days })}T00:00:00-03:00`;
    expect(body).toEqual({
      id: expect.any(Number),
      type: 'debit_request',
      state: 'pending',
      created_at: expect.stringMatching(/-03:00$/),
      external_reference: 'cuota-12',
      adhesion_id: adhesion,
      description: 'Cuota de diciembre',
      first_due_date: midnight(20),
      first_total: 1430.5,
      second_due_date: midnight(25),
      second_total: 1500,
      metadata: { a: [1, 2] },
      adhesion: mandate.body,
    });
    expect(await getDebit(service, body.id)).toEqual({ ...body, request_result: [] });
  });

  test('uses its mandate’s description by default, and has no reference', async () => {
    const { body } = await createDebit(service, adhesion, { description: '' });
    expect(body.description).toBe('Cuota social del club');
    expect(body).not.toHaveProperty('external_reference');
  });

  test('accepts a due date from the third business day on, and names that day in the error', async () => {
    const earliest = calendar.nextBusinessDay(todayOf(service), 3);
    const first = { first_due_date: formatDay(earliest) };
    expect((await createDebit(service, adhesion, first)).status).toBe(201);
    for (const due of [earliest.subtract({ days: 1 }), todayOf(service).subtract({ days: 9 })]) {
      const answer = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
      expectError(answer, 400);
      expect(firstFault(answer, 'first_due_date')).toContain(`${formatDay(earliest)} or later`);
    }
  });

  test('runs on the next business day if banks are closed, and is handed over two business days before', async () => {
    for (let days = 8; days < 40; days += 1) {
      const due = todayOf(service).add({ days });
      const { body } = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
      const [run] = await service.sql<{ run_on: string; submit_on: string }[]>`
        select run_on::text, submit_on::text from debit_runs where request_id = ${body.id}`;
      const runs = calendar.nextBusinessDay(due, 0);
      expect(run).toEqual({
        run_on: runs.toString(),
        submit_on: calendar.businessDayBefore(runs, 2).toString(),
      });
    }
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['adhesion_id', { adhesion_id: undefined }, /required/],
    ['adhesion_id', { adhesion_id: 'x' }, /whole number/],
    ['adhesion_id', { adhesion_id: 0 }, /from 1/],
    ['adhesion_id', { adhesion_id: 99_999_999 }, /There is no bank account mandate with this id/],
    ['first_due_date', { first_due_date: '31-02-2027' }, /This day does not exist/],
    ['first_due_date', { first_due_date: '2027-02-01' }, /dd-mm-yyyy/],
    ['first_due_date', { first_due_date: '01-01-2100' }, /31-12-2099 or earlier/],
    ['first_total', { first_total: 0 }, /at least 0.01/],
    ['first_total', { first_total: -5 }, /not an amount|at least/],
    ['first_total', { first_total: 10.123 }, /2 decimals/],
    ['first_total', { first_total: 100_000_000 }, /8 integer digits/],
    ['first_total', { first_total: undefined }, /required/],
    ['second_total', { second_due_date: 'DAYS 25' }, /go together/],
    ['second_due_date', { second_total: 2000 }, /go together/],
    ['second_due_date', { second_due_date: 'DAYS 20', second_total: 2000 }, /later than the first/],
    ['second_due_date', { second_due_date: 'DAYS 120', second_total: 2000 }, /at most 99 days/],
    ['second_total', { second_due_date: 'DAYS 25', second_total: 1430.49 }, /not be lower/],
    ['description', { description: 'a'.repeat(256) }, /at most 255/],
    ['external_reference', { external_reference: 'a'.repeat(256) }, /at most 255/],
    ['metadata', { metadata: [] }, /JSON object/],
  ])('refuses %s = %j', async (field, fields, why) => {
    const before = await stored();
    const sent = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const [, days] = /^DAYS (\d+)$/.exec(String(value)) ?? [];
        return [name, days ? inDays(service, Number(days)) : value];
      }),
    );
    const answer = await createDebit(service, adhesion, sent);
    expectError(answer, 400);
    expect(faultyFields(answer)).toEqual([field]);
    expect(firstFault(answer, field)).toMatch(why);
    expect(Object.keys(answer.body.children)).toEqual([
      'adhesion_id',
      'description',
      'first_due_date',
      'first_total',
      'second_due_date',
      'second_total',
      'external_reference',
      'metadata',
    ]);
    expect(await stored()).toBe(before);
  });

  test('gives the same answer for another account’s mandate as for an unknown one', async () => {
    const own = await createDebit(service, 99_999_999);
    const foreign = await service.call('POST', '/debit-request', {
      key: otherKey,
      body: {
        debit_request: {
          adhesion_id: adhesion,
          first_due_date: inDays(service, 20),
          first_total: 10,
        },
      },
    });
    expectError(foreign, 400);
    expect(firstFault(foreign, 'adhesion_id')).toBe(firstFault(own, 'adhesion_id'));
  });

  test('answers 409 for an unsigned or canceled mandate, with its state', async () => {
    const unsigned = await service.call('POST', '/adhesion', {
      body: adhesionBody({ email: 'ana+nosign@example.com' }),
    });
    const waiting = await createDebit(service, unsigned.body.id);
    expectError(waiting, 409);
    expect(waiting.body.message).toContain('pending_to_sign');
    await service.call('PUT', `/adhesion/${unsigned.body.id}/cancel`);
    const canceled = await createDebit(service, unsigned.body.id);
    expectError(canceled, 409);
    expect(canceled.body.message).toContain('canceled');
  });
});

describe('a debit on a card', () => {
  test('sets the due date of a card debit to its period’s debit day', async () => {
    const { year } = todayOf(service).add({ years: 1 });
    const { status, body } = await createCardDebit(service, card, {
      month: '2',
      year,
      amount: '99.9',
      metadata: { b: 1 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'card_debit_request',
      state: 'pending',
      card_adhesion_id: card,
      month: 2,
      year,
      amount: 99.9,
      metadata: { b: 1 },
      card_adhesion: { id: card, state: 'signed', card: 'Visa', last_four_digits: '4905' },
    });
    expect(body).not.toHaveProperty('first_due_date');
    // Handed over on the business day after the cut, and run two business days later.
    const runsOn = (cut: string) =>
      calendar.nextBusinessDay(Temporal.PlainDate.from(cut), 3).toString();
    const [run] = await service.sql<{ due: string; run_on: string }[]>`
      select r.due1::text as due, d.run_on::text from requests r
      join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
      where r.id = ${body.id}`;
    expect(run).toEqual({
      due: runsOn(`${year}-02-19`),
      run_on: runsOn(`${year}-02-19`),
    });
  });

  test('refuses a period after its cut-off, and names the first open one', async () => {
    const today = todayOf(service);
    const past = today.subtract({ months: 1 });
    const answer = await createCardDebit(service, card, { month: past.month, year: past.year });
    expectError(answer, 400);
    const said = firstFault(answer, 'month');
    const [, month, year] = /first open period is (\d+)\/(\d+)/.exec(said) ?? [];
    const open = await createCardDebit(service, card, { month, year });
    expect(open.status, open.text).toBe(201);
    const [run] = await service.sql<{ submit_on: Temporal.PlainDate }[]>`
      select submit_on from debit_runs where request_id = ${open.body.id}`;
    expect(Temporal.PlainDate.compare(run?.submit_on ?? today, today)).toBe(1);
    const before = Temporal.PlainYearMonth.from({ month: Number(month), year: Number(year) });
    const shut = before.subtract({ months: 1 });
    const closed = await createCardDebit(service, card, { month: shut.month, year: shut.year });
    expect(closed.status).toBe(400);
  });

  test('uses the account’s own cut-off day, or a short month’s last, and runs after it', async () => {
    const year = todayOf(service).year + 1;
    const calendar = await service.service.parts.calendar();
    const runOf = async (month: number) => {
      const { body } = await createCardDebit(service, card, { month, year });
      const [row] = await service.sql<{ due: string; submit: string; run: string }[]>`
        select r.due1::text as due, d.submit_on::text as submit, d.run_on::text as run
        from requests r join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
        where r.id = ${body.id}`;
      return row;
    };
    const behind = (cut: Temporal.PlainDate) => {
      const submit = calendar.nextBusinessDay(cut, 1);
      const run = String(calendar.nextBusinessDay(submit, 2));
      return { due: run, submit: String(submit), run };
    };
    const dayOf = (month: number, day: number) => Temporal.PlainDate.from({ year, month, day });
    await service.sql`
      update accounts set settings = (settings::jsonb || '{"card_cut_day": 31}')::json
      where id = 'A1B2C3D4'`;
    const last = Temporal.PlainYearMonth.from({ year, month: 2 }).daysInMonth;
    expect(await runOf(1)).toEqual(behind(dayOf(1, 31)));
    expect(await runOf(2)).toEqual(behind(dayOf(2, last)));
    await service.sql`
      update accounts set settings = (settings::jsonb - 'card_cut_day')::json
      where id = 'A1B2C3D4'`;
    expect(await runOf(1)).toEqual(behind(dayOf(1, 19)));
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['card_adhesion_id', { card_adhesion_id: 99_999_999 }, /There is no card mandate/],
    ['month', { month: 13 }, /from 1 to 12/],
    ['month', { month: 0 }, /from 1 to 12/],
    ['month', { month: 1.5 }, /whole number/],
    ['month', { month: undefined }, /required/],
    ['year', { year: 1999 }, /from 2000 to 2099/],
    ['year', { year: undefined }, /required/],
    ['month', { month: 1, year: 2020 }, /cut-off of 1\/2020 has passed/],
    ['amount', { amount: 0 }, /at least 0.01/],
    ['amount', { amount: '1e3' }, /not an amount/],
    ['description', { description: 'a'.repeat(256) }, /at most 255/],
  ])('refuses %s = %j', async (field, fields, why) => {
    const before = await stored();
    const answer = await createCardDebit(service, card, fields);
    expectError(answer, 400);
    expect(faultyFields(answer)).toEqual([field]);
    expect(firstFault(answer, field)).toMatch(why);
    expect(await stored()).toBe(before);
  });
});

describe.each([
  ['/debit-request', '/card-debit-request'],
  ['/card-debit-request', '/debit-request'],
])('%s', (path, otherPath) => {
  const create = (headers: Record<string, string> = {}, amount = 10) =>
    service.call('POST', path, {
      headers,
      body:
        path === '/debit-request'
          ? {
              debit_request: {
                adhesion_id: adhesion,
                first_due_date: inDays(service, 20),
                first_total: amount,
              },
            }
          : { card_debit_request: { card_adhesion_id: card, month: 1, year: 2099, amount } },
    });

  test('finds a debit by its own path and account only', async () => {
    const { body } = await create();
    expect((await service.call('GET', `${path}/${body.id}`)).status).toBe(200);
    for (const call of [
      service.call('GET', `${otherPath}/${body.id}`),
      service.call('PUT', `${otherPath}/${body.id}/cancel`),
      service.call('GET', `/payment-request/${body.id}`),
      service.call('GET', `${path}/${body.id}`, { key: otherKey }),
      service.call('PUT', `${path}/${body.id}/cancel`, { key: otherKey }),
      service.call('GET', `${path}/99999999`),
    ]) {
      expectError(await call, 404);
    }
    expectError(await service.call('GET', `${path}/x`), 400);
    expectError(await service.call('GET', `${path}/${body.id}?detail_retentions=maybe`), 400);
  });

  test('requires a key with the permission', async () => {
    const reader = (await anotherAccount(service, ['read'])).key;
    expectError(await service.call('POST', path, { body: {}, key: null }), 401);
    expectError(await service.call('POST', path, { body: {}, key: reader }), 403);
    expectError(await service.call('PUT', `${path}/1/cancel`, { key: reader }), 403);
    expectError(await service.call('POST', path, { body: {} }), 400);
  });

  test('creates a debit once per key, even if its mandate has ended since', async () => {
    const headers = { 'Idempotency-Key': `repeat ${path}` };
    const first = await create(headers);
    expect(first.status).toBe(201);
    const again = await create(headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectError(await create(headers, 11), 422);
    const at = path === '/debit-request' ? 'adhesion' : 'card-adhesion';
    await service.call('PUT', `/${at}/${at === 'adhesion' ? adhesion : card}/cancel`);
    expect((await create(headers)).text).toBe(first.text);
    expectError(await create(), 409);
  });
});
