import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import type { PaymentRequestRow } from '../../src/payment-requests/index.ts';
import { findRequestsByWords, noFilters } from '../../src/requests/index.ts';
import { testOperator } from '../harness/actors.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

/** Without a worker, expired requests are not swept until a test does so. */
let service: TestService;
let otherKey: string;
const ids: number[] = [];
let otherId: number;
let firstDay: string;
let secondDay: string;

const create = async (fields: Record<string, unknown>, key?: string): Promise<number> => {
  const answer = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service, fields),
    ...(key !== undefined && { key }),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
};

const today = (): string => formatDay(service.service.parts.clocks.business.today());

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  const { base, clocks } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const other = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, other);
  otherKey = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: other.id,
    name: 'test',
    permissions: ['read', 'write'],
    expiresAt: null,
    secret: null,
  });
  otherId = await create({ external_reference: 'r-1', payer_name: 'Ana 1' }, otherKey);
  firstDay = today();
  // Thirty requests created on the first day, due on it and the days after, for 10.00, 10.50, …
  for (let n = 0; n < 30; n += 1) {
    ids.push(
      await create({
        external_reference: `r-${n % 10}`,
        payer_name: `Ana ${n % 3}`,
        first_due_date: inDays(service, n),
        first_total: 10 + n / 2,
      }),
    );
  }
  await clocks.moveTo(clocks.business.now().add({ hours: 48 }));
  secondDay = today();
  ids.push(await create({ external_reference: 'r-ñ &=/?#"', payer_name: 'Luz', first_total: 500 }));
  await service.call('POST', `/sandbox/pay/${ids[30]}`, { body: {} });
});
afterAll(() => service.stop());

const list = (query: Record<string, string | number> = {}, key?: string) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`]),
  );
  return service.call('GET', `/payment-request?${text}`, key === undefined ? {} : { key });
};

const idsOf = async (query: Record<string, string | number>): Promise<number[]> => {
  const { status, text, body } = await list({ limit: 100, ...query });
  expect(status, text).toBe(200);
  if (!('after' in query)) expect(body.total_count).toBe(body.data.length);
  return body.data.map((row: { id: number }) => row.id);
};

const where = (keep: (n: number) => boolean): number[] => ids.filter((_id, n) => keep(n));

describe('pages', () => {
  test('returns 25 rows by default in id order, with the total', async () => {
    for (const path of ['/payment-request', '/payment-request/']) {
      const { body } = await service.call('GET', path);
      expect(Object.keys(body)).toEqual(['current_page', 'items_per_page', 'total_count', 'data']);
      expect(body).toMatchObject({ current_page: 1, items_per_page: 25, total_count: 31 });
      expect(body.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(0, 25));
    }
  });
  test('returns each row as its GET does, including results', async () => {
    const { body } = await list({ id: ids[29] as number });
    const got = await service.call('GET', `/payment-request/${ids[29]}`);
    expect(body.data[0]).toStrictEqual(got.body);
  });
  test('selects pages by page and limit', async () => {
    const { body } = await list({ page: 4, limit: 10 });
    expect(body).toMatchObject({ current_page: 4, items_per_page: 10, total_count: 31 });
    expect(body.data.map((row: { id: number }) => row.id)).toEqual([ids[30]]);
    expect((await list({ limit: 100 })).body.data).toHaveLength(31);
    const behind = await list({ page: 1_000_000 });
    expect(behind.body).toMatchObject({ current_page: 1_000_000, total_count: 31, data: [] });
  });
  test('continues after an id, without a total', async () => {
    const seen: number[] = [];
    let after = 0;
    for (;;) {
      const { body } = await list({ after, limit: 7 });
      expect(Object.keys(body)).toEqual(['items_per_page', 'data']);
      if (body.data.length === 0) break;
      seen.push(...body.data.map((row: { id: number }) => row.id));
      after = seen.at(-1) as number;
    }
    expect(seen).toEqual(ids);
    expect(await idsOf({ after: ids[20] as number, payer_name: 'Ana 0' })).toEqual(
      where((n) => n > 20 && n < 30 && n % 3 === 0),
    );
  });
});

describe('filters', () => {
  test('filters by id', async () => {
    expect(await idsOf({ id: ids[3] as number })).toEqual([ids[3]]);
    expect(await idsOf({ id: 999_999_999 })).toEqual([]);
  });
  test('filters by external_reference and payer_name, exactly', async () => {
    expect(await idsOf({ external_reference: 'r-1' })).toEqual(
      where((n) => n < 30 && n % 10 === 1),
    );
    expect(await idsOf({ external_reference: 'r-ñ &=/?#"' })).toEqual([ids[30]]);
    expect(await idsOf({ external_reference: 'r-' })).toEqual([]);
    expect(await idsOf({ external_reference: "r-1' or '1'='1" })).toEqual([]);
    expect(await idsOf({ payer_name: 'Ana 2' })).toEqual(where((n) => n < 30 && n % 3 === 2));
  });
  test('filters by creation day, inclusive', async () => {
    expect(await idsOf({ created_at_lte: firstDay })).toEqual(ids.slice(0, 30));
    expect(await idsOf({ created_at_gte: firstDay, created_at_lte: firstDay })).toHaveLength(30);
    expect(await idsOf({ created_at_gte: secondDay })).toEqual([ids[30]]);
    expect(await idsOf({ created_at_lte: secondDay })).toEqual(ids);
    expect(await idsOf({ created_at_gte: '01-01-0001', created_at_lte: '31-12-9999' })).toEqual(
      ids,
    );
    expect(await idsOf({ created_at_gte: '31-12-9999' })).toEqual([]);
  });
  test('filters by first due day, inclusive', async () => {
    // The clock is two days ahead of the first day.
    const query = {
      first_due_date_gte: inDays(service, 0),
      first_due_date_lte: inDays(service, 3),
    };
    expect(await idsOf(query)).toEqual(ids.slice(2, 6));
    expect(await idsOf({ first_due_date_lte: firstDay })).toEqual([ids[0]]);
    expect(await idsOf({ first_due_date_gte: '31-12-9999' })).toEqual([]);
  });
  test('filters by first total, inclusive, to the centavo', async () => {
    expect(await idsOf({ first_total_gte: '10.50', first_total_lte: 12 })).toEqual(ids.slice(1, 5));
    expect(await idsOf({ first_total_gte: '10.51', first_total_lte: '11.99' })).toEqual(
      ids.slice(2, 4),
    );
    expect(await idsOf({ first_total_lte: 0 })).toEqual([]);
  });
  test('combines several filters', async () => {
    const query = { payer_name: 'Ana 1', external_reference: 'r-1', first_total_gte: 11 };
    expect(await idsOf(query)).toEqual([]);
    expect(await idsOf({ ...query, first_total_gte: 10 })).toEqual([ids[1]]);
  });
  test('ignores empty filters', async () => {
    expect(await idsOf({ state: '', id: '', created_at_gte: '', page: '' })).toEqual(ids);
  });
});

describe('the state follows the clock', () => {
  const states = async (): Promise<unknown> =>
    (await service.sql`select state from requests where id = ${ids[0] as number}`)[0];

  test('shows a request as expired before the sweep has stored it', async () => {
    expect(await states()).toEqual({ state: 'pending' });
    expect(await idsOf({ state: 'expired' })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ state: 'pending' })).toEqual(ids.slice(2, 30));
    expect(await idsOf({ state: 'paid' })).toEqual([ids[30]]);
    expect(await idsOf({ state: 'PAID' })).toEqual([ids[30]]);
    expect(await idsOf({ state: 'refunded' })).toEqual([]);
    const { body } = await list({ state: 'expired' });
    expect(body.data.map((row: { state: string }) => row.state)).toEqual(['expired', 'expired']);
    expect((await service.call('GET', `/payment-request/${ids[0]}`)).body.state).toBe('expired');
  });
  test('shows a request as expired after the sweep', async () => {
    await service.service.parts.sweeper.tick();
    expect(await states()).toEqual({ state: 'expired' });
    expect(await idsOf({ state: 'expired' })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ state: 'pending' })).toEqual(ids.slice(2, 30));
  });
});

test('never shows rows of other accounts', async () => {
  const { body } = await list({}, otherKey);
  expect(body.total_count).toBe(1);
  expect(body.data.map((row: { id: number }) => row.id)).toEqual([otherId]);
  expect((await list({ id: ids[0] as number }, otherKey)).body.data).toEqual([]);
  expect((await list({ after: 0 }, otherKey)).body.data).toHaveLength(1);
  expect(await idsOf({ id: otherId })).toEqual([]);
});

describe('refuses an invalid query with all its faults', () => {
  test.each([
    ['page', '0', /1 to 1000000/],
    ['page', 'x', /whole number/],
    ['page', '1.5', /whole number/],
    ['page', '99999999999999999999', /whole number/],
    ['limit', '0', /1 to 100/],
    ['limit', '101', /1 to 100/],
    ['limit', '-1', /1 to 100/],
    ['after', '-1', /0 to/],
    ['id', 'abc', /whole number/],
    ['state', 'canceled', /one of: pending, paid, expired, reverted, refunded\.$/],
    ['external_reference', 'a\u0000', /control characters/],
    ['external_reference', 'x'.repeat(256), /at most 255/],
    ['payer_name', '\n', /blank|control/],
    ['created_at_gte', '2026-12-01', /dd-mm-yyyy/],
    ['created_at_lte', '31-11-2026', /November 2026 has 30 days/],
    ['first_due_date_gte', 'x', /dd-mm-yyyy/],
    ['first_due_date_lte', '1', /dd-mm-yyyy/],
    ['first_total_gte', '1e2', /not an amount/],
    ['first_total_lte', '-1', /at least 0\.00\.$/],
  ])('refuses %s=%j', async (name, value, message) => {
    const answer = await list({ [name]: value });
    expectError(answer, 400);
    expect(answer.body.children[name].errors).toEqual([expect.stringMatching(message)]);
  });
  test('lists all faults of a query at once', async () => {
    const answer = await list({ page: 0, limit: 0, state: 'x', first_total_gte: 'x' });
    expectError(answer, 400);
    const faulty = Object.entries<object>(answer.body.children)
      .filter(([, node]) => 'errors' in node)
      .map(([name]) => name);
    expect(faulty).toEqual(['page', 'limit', 'state', 'first_total_gte']);
  });
  test('refuses page together with after', async () => {
    for (const after of [0, 5]) {
      const answer = await list({ page: 1, after });
      expectError(answer, 400);
      expect(answer.body.children.after.errors).toEqual([
        'Send either "page" or "after", not both.',
      ]);
    }
  });
  test('refuses a parameter sent twice', async () => {
    for (const query of ['page=1&page=2', 'payer_name=a&payer_name=b', 'state=paid&state=paid']) {
      expectError(await service.call('GET', `/payment-request?${query}`), 400);
    }
  });
});

describe('names', () => {
  /** Decomposed as on a Mac, with each accent as a separate character. */
  const decomposed = 'Íñigo Peñaloza Núñez'.normalize('NFD');
  let named: number[];
  beforeAll(async () => {
    named = [
      await create({ payer_name: decomposed }),
      await create({ payer_name: 'ÍÑIGO PEÑALOZA NÚÑEZ' }),
    ];
    await create({ payer_name: 'Íñigo Peñaloza Núñez, hijo' });
  });

  test.each(['Íñigo Peñaloza Núñez', decomposed, 'inigo penaloza nunez', 'INIGO PEÑALOZA NUÑEZ'])(
    'finds payer_name=%j regardless of accents and case',
    async (name) => {
      expect(await idsOf({ payer_name: name })).toEqual(named);
      expect(await idsOf({ payer_name: name, after: 0 })).toEqual(named);
      expect(await idsOf({ payer_name: name, state: 'pending' })).toEqual(named);
      expect(await idsOf({ payer_name: name, after: named[0] as number })).toEqual(named.slice(1));
    },
  );

  test('finds names in the portal by words and in full', async () => {
    const found = async (more: { text?: string; payer?: string }) => {
      const rows = await findRequestsByWords<PaymentRequestRow>(service.sql, {
        accountId: testAccount,
        kind: 'payment_request',
        text: more.text ?? '',
        filters: { ...noFilters, payer: more.payer ?? null },
        before: null,
        limit: 25,
        today: service.service.parts.clocks.business.today(),
      });
      return rows.map(({ id }) => id);
    };
    expect(await found({ payer: 'inigo peñaloza NUNEZ' })).toEqual(named.toReversed());
    for (const text of ['iñigo penal', 'ÍÑIGO'.normalize('NFD'), 'inigo']) {
      expect(await found({ text })).toEqual(expect.arrayContaining(named));
    }
  });

  test('finds names through an index', async () => {
    const plan = await service.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return await tx<Record<string, string>[]>`
        explain select id from requests
        where account_id = ${testAccount} and kind = 'payment_request' and kind <> 'qr'
          and folded(payer) >= folded(${'Ana 1'}) and folded(payer) <= folded(${'Ana 1'})
        order by folded(payer), id`;
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/requests_list_payer/);
    expect(text).toMatch(/Index Cond: .*normalize\(payer/i);
    expect(text).not.toMatch(/Sort/);
  });
});
