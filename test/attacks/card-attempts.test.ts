import { afterAll, beforeAll, expect, test } from 'vitest';
import { pauseOf } from '../../src/money/charges/tries.ts';
import { countCardTry, countedBy, recountCardTry } from '../../src/money/charges/velocity.ts';
import { cardForm, create, payCard, read, refusedVisa } from '../checkout/payer.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

/** Turns off the limits per card, BIN and address, so only those per request apply. */
const uncounted = { CARD_TRIES_CARD: '0', CARD_TRIES_BIN: '0', CARD_TRIES_ADDRESS: '0' };

let service: TestService;
beforeAll(async () => {
  service = await startService({
    ROLES: 'payments,web',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
    ...uncounted,
  });
});
afterAll(() => service.stop());

const refused = { ...cardForm, number: refusedVisa };
type Request = Awaited<ReturnType<typeof create>>;

const tryCard = (request: Request, form: Record<string, string> = refused) =>
  payCard(service.origin, request.path, form);

/** Counts charges of a request that reached the channel. */
async function charged({ id }: Request): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from attempts
    where account_id = ${testAccount} and request_id = ${id}`;
  return row?.count ?? 0;
}

const move = (body: Record<string, number>) => service.call('POST', '/sandbox/clock', { body });

async function spendFreeTries(request: Request): Promise<void> {
  for (let nth = 0; nth < 5; nth += 1) expect((await tryCard(request)).status).toBe(303);
}

/** Tries until an attempt is refused, every two hours for this many days. */
async function tryFor(request: Request, days: number): Promise<void> {
  for (let hour = 0; hour < days * 12; hour += 1) {
    while ((await tryCard(request)).status === 303);
    await move({ hours: 2 });
  }
}

test('sends only 5 of 1,500 cards tried on one link to the channel, and shows when to retry', async () => {
  const request = await create(service);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 60; round += 1) {
    const answers = await Promise.all(Array.from({ length: 25 }, () => tryCard(request)));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(await charged(request)).toBe(5);
  expect(statuses.get(303)).toBe(5);
  expect((await read(service, request)).request_result).toHaveLength(5);
  const { status, headers, html } = await tryCard(request);
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(html).toMatch(/Podés volver a intentar desde el \d+ de \w+ de \d{4}, \d\d:\d\d\./);
  expect((await tryCard(request, { ...refused, lang: 'en' })).html).toContain(
    'You can try again after',
  );
});

test('doubles the pause with each refusal, and accepts a good card after it', async () => {
  const request = await create(service);
  await spendFreeTries(request);
  for (const minutes of [1, 2, 4]) {
    expect((await tryCard(request, cardForm)).status).toBe(429);
    await move({ minutes });
    expect((await tryCard(request)).status).toBe(303);
  }
  expect(await charged(request)).toBe(8);
  await move({ minutes: 9 });
  expect((await tryCard(request, cardForm)).status).toBe(303);
  expect((await read(service, request)).state).toBe('paid');
});

test('admits only one of several concurrent attempts when one free attempt is left', async () => {
  const request = await create(service);
  for (let nth = 0; nth < 4; nth += 1) await tryCard(request);
  const answers = await Promise.all([tryCard(request), tryCard(request), tryCard(request)]);
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await charged(request)).toBe(5);
});

test('limits neither other requests nor channels that take no card number', async () => {
  const [attacked, other] = [await create(service), await create(service)];
  await spendFreeTries(attacked);
  expect((await tryCard(attacked)).status).toBe(429);
  expect((await tryCard(other, cardForm)).status).toBe(303);
  expect((await read(service, other)).state).toBe('paid');
  const paid = await service.call('POST', `/sandbox/pay/${attacked.id}`, {
    body: { channel: 'qr' },
  });
  expect([paid.status, paid.body.state]).toEqual([200, 'paid']);
  expect((await tryCard(attacked)).status).toBe(409);
});

test('answers an API call with 429, the time of the next attempt and Retry-After', async () => {
  const request = await create(service);
  await spendFreeTries(request);
  await tryCard(request);
  await move({ minutes: 1 });
  expect((await tryCard(request)).status).toBe(303);
  const { status, body, headers } = await service.call('POST', `/sandbox/pay/${request.id}`, {
    body: { channel: 'credit_card' },
  });
  expect([status, body.code]).toEqual([429, 429]);
  expect(body.message).toMatch(/Try again after \d\d-\d\d-\d{4} \d\d:\d\d/);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(60);
  expect(seconds).toBeLessThanOrEqual(120);
});

test('limits attempts per day and per request, then says that the request accepts no more cards', async () => {
  const limited = await startService({
    ROLES: 'payments,web',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
    ...uncounted,
    REFUSED_TRIES_FREE: '20',
    REFUSED_TRIES_A_DAY: '7',
    REFUSED_TRIES_A_REQUEST: '10',
  });
  try {
    const own = service;
    service = limited;
    try {
      const request = await create(service);
      await tryFor(request, 0.5);
      expect(await charged(request)).toBe(7);
      await tryFor(request, 2);
      expect(await charged(request)).toBe(10);
      const { status, html, headers } = await tryCard(request);
      expect([status, html.includes('ya no acepta tarjetas')]).toEqual([429, true]);
      // Waiting does not help here, so there is no Retry-After.
      expect(headers.get('retry-after')).toBeNull();
    } finally {
      service = own;
    }
  } finally {
    await limited.stop();
  }
});

test('counts a request’s refused attempts with the index on results', async () => {
  const { clocks } = service.service.parts;
  const plan = await service.sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    const tried = {
      account_id: testAccount,
      request_id: 1,
      channel: 'DEBIN' as const,
      started_at: clocks.business.now(),
    };
    const limits = { free: 5, pauseSeconds: 60, perDay: 20, perRequest: 50 };
    return await tx`explain ${pauseOf(tx, tried, limits)}`;
  });
  expect(JSON.stringify(plan)).toContain('results_refused');
});

test('returns the last 50 rejections and the number of omitted ones', async () => {
  const request = await create(service);
  await tryCard(request);
  await service.sql`
    insert into results (account_id, id, request_id, kind, type, source, source_ref, channel,
      channel_label, amount, paid_at, informed_at, informed_on, payer, description, details)
    select account_id, 900000000 + n, request_id, kind, type, source, 'older ' || n, channel,
      channel_label, amount, paid_at, informed_at - interval '2 days', informed_on, payer,
      description, details
    from results, generate_series(1, 60) as n
    where account_id = ${testAccount} and request_id = ${request.id}`;
  const body = await read(service, request);
  expect([body.request_result.length, body.rejected_results_left_out]).toEqual([50, 11]);
  expect((await tryCard(request)).status).toBe(429);
});

test('delays card testing across many requests with one alarm, and does not count approved cards', async () => {
  const guarded = await startService({
    ROLES: 'payments,web',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
    CARD_TRIES_CARD: '3',
  });
  const own = service;
  service = guarded;
  try {
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await tryCard(await create(service), cardForm)).status).toBe(303);
    }
    const requests = await Promise.all(Array.from({ length: 6 }, () => create(service)));
    const answers = await Promise.all(requests.map((request) => tryCard(request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 429, 429, 429]);
    const late = answers.find(({ status }) => status === 429);
    expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await tryCard(await create(service), cardForm)).status).toBe(303);
    const alarms = await service.sql`
      select message from money_alarms where kind = 'card_testing'`;
    expect(alarms).toEqual([{ message: expect.stringContaining(testAccount) }]);
    await service.sql`update card_tries set since = since - interval '61 minutes'`;
    expect((await tryCard(await create(service))).status).toBe(303);
  } finally {
    service = own;
    await guarded.stop();
  }
});

test('counts unanswered payments apart from attempts, and allows ten times as many', async () => {
  const guarded = await startService({
    ROLES: 'payments,web',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
    CARD_TRIES_CARD: '2',
  });
  const own = service;
  service = guarded;
  const counts = async () => {
    const [row] = await service.sql<{ tries: number; unanswered: number }[]>`
      select max(tries) as tries, max(unanswered) as unanswered from card_tries`;
    return { ...row };
  };
  try {
    // The channel responds to these a day later.
    const unanswered = async () =>
      tryCard(await create(service, { first_total: 100.94 }), cardForm);
    for (let nth = 0; nth < 4; nth += 1) expect((await unanswered()).status).toBe(303);
    expect(await counts()).toEqual({ tries: 0, unanswered: 4 });
    // An approved payment does not count as unanswered.
    expect((await tryCard(await create(service), cardForm)).status).toBe(303);
    for (let nth = 0; nth < 16; nth += 1) expect((await unanswered()).status).toBe(303);
    expect((await unanswered()).status).toBe(429);
    await service.sql`update card_tries set tries = 0`;
    const { status } = await service.call('POST', '/sandbox/clock', { body: { days: 1 } });
    expect([status, await counts()]).toEqual([200, { tries: 0, unanswered: 0 }]);
  } finally {
    service = own;
    await guarded.stop();
  }
});

test('counts a card that its channel saw, though the outcome could not be recorded', async () => {
  const guarded = await startService({ ROLES: 'payments,web', CARD_TRIES_CARD: '3' });
  const own = service;
  service = guarded;
  const counts = () => service.sql`
    select max(tries) as tries, max(unanswered) as unanswered from card_tries`;
  try {
    const request = await create(service);
    await service.sql.unsafe(`
      create function fail_insert() returns trigger language plpgsql as $$
        begin raise exception 'the insert fails'; end $$;
      create trigger fail_insert before insert on results for each row
        execute function fail_insert()`);
    expect((await tryCard(request)).status).toBe(500);
    expect(await counts()).toEqual([{ tries: 0, unanswered: 1 }]);
    await service.sql.unsafe('drop function fail_insert() cascade');
    await move({ hours: 1 });
    expect(await counts()).toEqual([{ tries: 1, unanswered: 0 }]);
  } finally {
    service = own;
    await guarded.stop();
  }
});

test('counts a refusal that arrives later as an attempt', async () => {
  const { base } = service.service.parts;
  const limits = { address: 0, card: 0, bin: 0, account: 9 };
  const tried = { accountId: 'ABCDEF01', ip: null, card: { bin: null, lastFour: null } };
  const counted = countedBy(tried, limits);
  await countCardTry(base, tried, limits);
  await recountCardTry(base, counted, 'unanswered');
  await recountCardTry(base, counted, 'refusedLater');
  const rows = await service.sql`
    select tries, unanswered from card_tries
    where subject = ${Buffer.from(counted[0] ?? '', 'base64url')}`;
  expect(rows).toEqual([{ tries: 1, unanswered: 0 }]);
});
