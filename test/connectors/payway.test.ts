import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fraudDetectionOf } from '../../connectors/payway/fraud.ts';
import { states } from '../../connectors/payway/payment.ts';
import { secondsToMorning } from '../../connectors/payway/refund.ts';
import { refusalOf, refusals } from '../../connectors/payway/refusals.ts';
import { newAttempt, orderOf, refundOf, type Said } from './caller.ts';
import { type Office, openOffice } from './payway.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.stop());

const visa = '4507990000004905';
const special = (kind: string, check: number): string => `45079902${kind}00000${check}`;

async function instrument(number: string, brand = 'visa', from = office): Promise<object> {
  const token = await from.token(number);
  return { type: 'token', token, brand, bin: number.slice(0, 6), last_four: number.slice(-4) };
}

async function pay(
  number: string,
  {
    from = office,
    attempt = newAttempt(),
    ...changes
  }: Record<string, unknown> & {
    from?: Office;
    attempt?: string;
  } = {},
): Promise<Said & { attempt: string }> {
  const brand = String(changes.brand ?? 'visa');
  const order = orderOf(attempt, { instrument: await instrument(number, brand, from), ...changes });
  return { ...(await from.call('PUT', `/charges/${attempt}`, order)), attempt };
}

/** Returns a payment's refunds from the field that the acquirer's libraries read. */
const historyIn = ({ parent }: Record<string, unknown>): unknown => Object(parent).history;

const booked = async (attempt: string, from = office) =>
  (await from.acquirer.get(`/api/v2/payments?siteOperationId=T1-${attempt}`)).results;

describe('a charge', () => {
  test('returns the acquirer’s reference and card data of an approved charge', async () => {
    const { status, body, attempt } = await pay(visa);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: 'approved',
      amount: 150_075,
      brand: 'visa',
      kind: 'credit',
      bin: '450799',
      authorization_code: expect.stringMatching(/^\d{6}$/),
      ticket: expect.any(String),
      tid: expect.any(String),
    });
    expect(await booked(attempt)).toHaveLength(1);
  });

  test.each([
    [1, 'call_issuer'],
    [7, 'call_issuer'],
    [38, 'other_instrument'],
    [47, 'other_instrument'],
    [53, 'other_instrument'],
    [4, 'never'],
    [5, 'other_instrument'],
    [14, 'same_now'],
    [45, 'same_now'],
    [51, 'same_later'],
    [54, 'other_instrument'],
    [57, 'other_instrument'],
    [96, 'same_later'],
    [150, 'same_later'],
    [202, 'other_instrument'],
    [999, 'other_instrument'],
  ])(
    'reports a charge refused for reason %i as rejected, with the retry advice %s',
    async (id, retry) => {
      const head = `450799010${String(id).padStart(3, '0')}000`;
      const number = [...'0123456789'].map((digit) => head + digit).find(isLuhn) ?? '';
      const { status, body } = await pay(number);
      expect({ status, ...body }).toMatchObject({ status: 200, outcome: 'rejected', retry });
      expect(body.code).toBe(String(id));
      expect(body.alarm).toBe(undefined);
    },
  );

  test('raises an alarm for missing fraud control data without a retry, but not for a later reason', async () => {
    for (const reason of [10_101, 10_302, 10_733]) {
      expect(refusalOf('cybersource_error', reason)).toMatchObject({
        retry: 'never',
        code: String(reason),
        alarm: expect.stringContaining(`reason ${reason}`),
      });
    }
    expect(refusalOf('cybersource_error', 10_734).alarm).toBe(undefined);
  });

  test('sends fraud control the buyer data of order and account, and reports missing data', async () => {
    const from = await openOffice({
      env: { PAYWAY_FRAUD_CONTROL: 'on' },
      emulator: { fraudControl: true },
    });
    const settings = {
      fraud_detection: {
        bill_to: {
          city: 'Rosario',
          state: 'S',
          postal_code: '2000',
          street1: 'Córdoba 1',
          phone_number: '3415550000',
          first_name: 'Nobody',
        },
        services_transaction_data: { service_type: 'fees' },
      },
    };
    const payer = { name: 'Ana María Pérez', email: 'ana@example.com' };
    try {
      const account = { id: '00A1B2C3', settings };
      const paid = await pay(visa, { from, account, payer });
      expect(paid.body).toMatchObject({ outcome: 'approved' });
      const bare = await pay(visa, { from, account: { id: '00A1B2C3', settings: {} }, payer });
      expect(bare.body).toMatchObject({ outcome: 'rejected', retry: 'never', code: '10102' });
      expect(bare.body.alarm).toContain('PAYWAY_FRAUD_CONTROL');
      const asked = await pay(visa, {
        from,
        account: {
          id: '00A1B2C3',
          settings: { fraud_detection: { services_transaction_data: {} } },
        },
        payer: {
          ...payer,
          phone: '+543415550000',
          address: { street: 'Córdoba 1', city: 'Rosario', postal_code: '2000', province: 'S' },
        },
      });
      expect(asked.body).toMatchObject({ outcome: 'approved' });
      const anonymous = await pay(visa, { from, account, payer: {} });
      expect(anonymous.body).toMatchObject({ outcome: 'rejected', code: '10105' });
    } finally {
      await from.stop();
    }
  });

  test('takes the city for fraud control from the settings, but not the channel or buyer’s name', () => {
    const settings = { fraud_detection: { channel: 'x', bill_to: { first_name: 'x', city: 'y' } } };
    const order = { account: { id: '00A1B2C3', settings }, payer: { name: 'Ana María Pérez' } };
    expect(fraudDetectionOf(order, { customer: '7', amount: 100 })).toEqual({
      send_to_cs: true,
      channel: 'Web',
      purchase_totals: { currency: 'ARS', amount: 100 },
      bill_to: {
        country: 'AR',
        city: 'y',
        customer_id: '7',
        first_name: 'Ana María',
        last_name: 'Pérez',
      },
    });
  });

  test.each([65, 111])('sends American Express cards under the site’s id %i', async (id) => {
    const from = await openOffice({ env: { PAYWAY_AMEX_ID: String(id) } });
    try {
      const amex = { from, brand: 'amex' };
      const { body } = await pay('373953192351004', amex);
      expect(body).toMatchObject({ outcome: 'approved', brand: 'amex' });
      const payment = await from.acquirer.get(`/api/v2/payments/${body.reference}`);
      expect(payment.payment_method_id).toBe(id);
    } finally {
      await from.stop();
    }
  });

  test('raises an alarm for a fault in our setup, and offers the payer no retry', async () => {
    const { body } = await pay('4507990100030008');
    expect(body).toMatchObject({ outcome: 'rejected', retry: 'never', code: '3' });
    expect(body.alarm).toContain('reason 3');
  });

  test('refuses a spent token, and books nothing', async () => {
    const own = await instrument(visa);
    const [first, second] = [newAttempt(), newAttempt()];
    const one = await office.call('PUT', `/charges/${first}`, orderOf(first, { instrument: own }));
    const two = await office.call(
      'PUT',
      `/charges/${second}`,
      orderOf(second, { instrument: own }),
    );
    expect(one.body.outcome).toBe('approved');
    expect(two.body).toMatchObject({ outcome: 'rejected', retry: 'same_now' });
    expect(await booked(second)).toEqual([]);
  });

  test('refuses a credit card on the debit channel, whatever the frame reported', async () => {
    const { body } = await pay(visa, { channel: 'debit_card' });
    expect(body).toMatchObject({ outcome: 'rejected', retry: 'other_instrument' });
  });

  test.each([
    ['nativa', '487017', 42],
    ['cencosud', '603493', 43],
    ['patagonia', '504656', 55],
    ['tuya', '588800', 59],
    ['favacard', '504408', 103],
  ])('sends a card of %s under its id only if the site accepts it', async (name, bin, id) => {
    const number = [...'0123456789'].map((digit) => `${bin}000000000${digit}`).find(isLuhn) ?? '';
    const from = await openOffice({ env: { PAYWAY_REGIONAL: name } });
    try {
      const { brand: _, ...token } = Object(await instrument(number, 'visa', from));
      const { body, attempt } = await pay(number, { from, instrument: token });
      expect(body).toMatchObject({ outcome: 'approved', bin });
      expect(body.brand).toBeUndefined();
      const [payment] = await booked(attempt, from);
      expect(payment).toMatchObject({ payment_method_id: id });
    } finally {
      await from.stop();
    }
    const { brand: _, ...unknown } = Object(await instrument(number));
    expect((await pay(number, { instrument: unknown })).body).toMatchObject({ code: 'unfit' });
  });

  test('sends the plan code from the account’s settings, or the count if the code is invalid', async () => {
    const account = { id: '00A1B2C3', settings: { plan_codes: { 3: 13, 6: 'x' } } };
    const plan = (count: number) => ({
      installments: { count, send_as: String(count), each: 1, total: count },
    });
    for (const [count, sent] of [
      [3, 13],
      [6, 6],
    ] as const) {
      const { attempt } = await pay(visa, { account, ...plan(count) });
      expect(await booked(attempt)).toMatchObject([{ installments: sent }]);
    }
  });

  test('charges a debit card as Visa debit', async () => {
    const { body } = await pay('4517721004856075', { channel: 'debit_card' });
    expect(body).toMatchObject({ outcome: 'approved', brand: 'visa', kind: 'debit' });
  });

  test('rejects an order that Payway finds invalid, and cuts an establishment name that is too long', async () => {
    const plan = { count: 60, send_as: '60', each: 2_502, total: 150_120 };
    const { body } = await pay(visa, { installments: plan });
    expect(body).toMatchObject({ outcome: 'rejected', code: 'invalid_request' });
    expect(body.text).toContain('installments');
    const wide = { establishment_name: 'Un nombre que es demasiado largo' };
    const cut = await pay(visa, { account: { id: '00A1B2C3', settings: wide } });
    expect(cut.body.outcome).toBe('approved');
  });

  test('keeps a charge under review pending, then approves it on inquiry', async () => {
    const { body, attempt } = await pay(special('06', 4));
    expect(body).toMatchObject({ outcome: 'pending', ask_after_s: expect.any(Number) });
    expect((await office.ask(`/charges/${attempt}`)).body.outcome).toBe('approved');
  });

  test.each([
    ['whose answer was lost', special('02', 8)],
    ['answered with 400 and no JSON', special('07', 3)],
    ['answered with 502', special('08', 2)],
  ])(
    'reports a charge %s as unknown, then approved on inquiry, without resending',
    async (_, card) => {
      const { status, body, attempt } = await pay(card);
      expect(status).toBe(502);
      expect(body.message).toContain('outcome is unknown');
      const asked = await office.ask(`/charges/${attempt}`);
      expect(asked.body).toMatchObject({ outcome: 'approved', amount: 150_075 });
      expect(await booked(attempt)).toHaveLength(1);
    },
  );

  test('reports a charge as unheard if it was never sent', async () => {
    expect((await office.ask(`/charges/${newAttempt()}`)).body).toEqual({ outcome: 'unheard' });
  });

  test('answers a repeated call with the outcome of the first, whose answer was lost', async () => {
    const order = orderOf(newAttempt(), { instrument: await instrument(special('02', 8)) });
    const address = `/charges/${order.attempt}`;
    expect((await office.call('PUT', address, order)).status).toBe(502);
    expect((await office.call('PUT', address, order)).body.outcome).toBe('approved');
  });

  test('identifies the seller by the account’s settings', async () => {
    const aggregate = { indicator: '0', identification_number: '30703088534' };
    const { attempt } = await pay(visa, {
      account: { id: '00A1B2C3', settings: { aggregate_data: aggregate } },
    });
    expect(await booked(attempt)).toMatchObject([{ aggregate_data: aggregate }]);
  });
});

function isLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe('a lagging search', () => {
  test('keeps a missing charge pending for 10 minutes, then answers unheard until it appears', async () => {
    let ahead = 0;
    const slow = await openOffice({
      emulator: {
        now: () => Date.now() + ahead,
        timing: { slowMs: 0, hiddenMs: 90_000, reviewMs: 0, authenticateMs: 1 },
      },
    });
    try {
      const { status, attempt } = await pay(special('03', 7), { from: slow });
      expect(status).toBe(502);
      const early = await slow.ask(`/charges/${attempt}`);
      expect(early.body).toMatchObject({ outcome: 'pending', ask_after_s: 60 });
      const later = new Date(Date.now() + 601_000).toISOString();
      expect((await slow.ask(`/charges/${attempt}`, later)).body).toEqual({ outcome: 'unheard' });
      ahead = 91_000;
      expect((await slow.ask(`/charges/${attempt}`, later)).body.outcome).toBe('approved');
    } finally {
      await slow.stop();
    }
  });

  test('scans the list if the site refuses to search by reference', async () => {
    const site = await openOffice({ emulator: { searchByReference: false } });
    try {
      const { attempt } = await pay(special('02', 8), { from: site });
      expect((await site.ask(`/charges/${attempt}`)).body.outcome).toBe('approved');
      expect((await site.ask(`/charges/${newAttempt()}`)).body.outcome).toBe('unheard');
    } finally {
      await site.stop();
    }
  });
});

describe('an unreachable acquirer', () => {
  test('reports a charge that could not be sent as unheard, and fails for an unknown one', async () => {
    const alone = await openOffice();
    const own = await instrument(visa, 'visa', alone);
    await alone.acquirer.stop();
    const attempt = newAttempt();
    const order = orderOf(attempt, { instrument: own });
    const said = await alone.call('PUT', `/charges/${attempt}`, order);
    expect(said).toMatchObject({ status: 200, body: { outcome: 'unheard' } });
    expect((await alone.ask(`/charges/${attempt}`)).body).toEqual({ outcome: 'unheard' });
    expect((await alone.ask(`/charges/${newAttempt()}`)).status).toBe(502);
    await alone.stop();
  });

  test('answers unheard with an alarm if the private key is wrong', async () => {
    const wrong = await openOffice({ env: { PAYWAY_PRIVATE_KEY: 'another' } });
    try {
      const { body } = await pay(visa, { from: wrong });
      expect(body).toMatchObject({ outcome: 'unheard', alarm: expect.stringContaining('401') });
    } finally {
      await wrong.stop();
    }
  });
});

describe('a refund', () => {
  const give = async (attempt: string, refund: string, order: object, from = office) =>
    await from.call('PUT', `/charges/${attempt}/refunds/${refund}`, order);

  test('refunds in parts, each once, never above the total', async () => {
    const { attempt, body } = await pay(visa);
    const first = refundOf(attempt, '1', body.reference, { amount: 50_000 });
    expect((await give(attempt, '1', first)).body).toMatchObject({ outcome: 'done' });
    const again = await Promise.all(
      Array.from({ length: 20 }, () => give(attempt, '1', first).then((one) => one.body)),
    );
    expect(new Set(again.map((one) => one.reference)).size).toBe(1);
    const second = { amount: 100_075, refunded_before: 50_000 };
    expect(
      (await give(attempt, '2', refundOf(attempt, '2', body.reference, second))).body,
    ).toMatchObject({ outcome: 'done' });
    const over = { amount: 1, refunded_before: 150_075 };
    expect(
      (await give(attempt, '3', refundOf(attempt, '3', body.reference, over))).body,
    ).toMatchObject({ outcome: 'failed', code: 'over_the_sum' });
    const list = await office.acquirer.get(`/api/v2/payments/${body.reference}/refunds`);
    expect(historyIn(list)).toMatchObject([{ amount: 50_000 }, { amount: 100_075 }]);
    expect((await office.ask(`/charges/${attempt}`)).body.outcome).toBe('canceled');
  });

  test('completes two concurrent refunds of one payment', async () => {
    const { attempt, body } = await pay(visa);
    const both = await Promise.all(
      ['1', '2'].map((id) =>
        give(attempt, id, refundOf(attempt, id, body.reference, { amount: 75_000 })),
      ),
    );
    expect(both.map((one) => one.body.outcome)).toEqual(['done', 'done']);
    const list = await office.acquirer.get(`/api/v2/payments/${body.reference}/refunds`);
    expect(historyIn(list)).toHaveLength(2);
  });

  test('finds a refund with a lost answer in the acquirer’s list, without repeating it', async () => {
    const { attempt, body } = await pay(visa);
    const order = refundOf(attempt, '1', body.reference, { amount: 50_013 });
    expect((await give(attempt, '1', order)).status).toBe(502);
    expect((await give(attempt, '1', order)).body).toMatchObject({ outcome: 'done' });
    const state = await office.ask(`/charges/${attempt}/refunds/1`);
    expect(state.body).toMatchObject({ outcome: 'done' });
    const list = await office.acquirer.get(`/api/v2/payments/${body.reference}/refunds`);
    expect(historyIn(list)).toMatchObject([{ amount: 50_013 }]);
  });

  test('reports a refund that never arrived as pending, then unheard', async () => {
    const { attempt, body } = await pay(visa);
    const order = refundOf(attempt, '1', body.reference, { amount: 50_014 });
    expect((await give(attempt, '1', order)).status).toBe(502);
    const state = `/charges/${attempt}/refunds/1`;
    expect((await office.ask(state)).body).toMatchObject({ outcome: 'pending' });
    const later = new Date(Date.now() + 601_000).toISOString();
    expect((await office.ask(state, later)).body).toEqual({ outcome: 'unheard' });
  });

  test('fails with an alarm if the payment was refunded elsewhere in between', async () => {
    const { attempt, body } = await pay(visa);
    const made = await office.acquirer.post(`/api/v2/payments/${body.reference}/refunds`, {
      amount: 777,
    });
    expect(made.status).toBe(201);
    const order = refundOf(attempt, '1', body.reference, { amount: 5_000 });
    expect((await give(attempt, '1', order)).body).toMatchObject({
      outcome: 'failed',
      code: 'sum_differs',
      alarm: expect.any(String),
    });
  });

  test('fails for a part of a Visa Débito payment', async () => {
    const { attempt, body } = await pay('4517721004856075', { channel: 'debit_card' });
    const order = refundOf(attempt, '1', body.reference, { amount: 5_000 });
    expect((await give(attempt, '1', order)).body).toMatchObject({ outcome: 'failed' });
  });

  test('allows resending the refund of a charge in an open lot the next morning', async () => {
    const site = await openOffice({ emulator: { sameDayRefunds: false } });
    try {
      const { attempt, body } = await pay(visa, { from: site });
      const order = refundOf(attempt, '1', body.reference);
      const first = await give(attempt, '1', order, site);
      expect(first.body).toMatchObject({ outcome: 'pending' });
      const state = `/charges/${attempt}/refunds/1`;
      expect((await site.ask(state)).body).toMatchObject({ outcome: 'pending' });
      const closed = await site.acquirer.post('/api/v1/closures/batchclosure', {});
      expect(closed.status).toBe(200);
      const morning = new Date(Date.now() + 1000 * (first.body.ask_after_s + 1)).toISOString();
      expect((await site.ask(state, morning)).body).toEqual({ outcome: 'unheard' });
      const again = { ...order, business_time: morning };
      expect((await give(attempt, '1', again, site)).body).toMatchObject({ outcome: 'done' });
    } finally {
      await site.stop();
    }
  });

  test('schedules retries for six the next morning in Argentina', () => {
    expect(secondsToMorning('2026-11-22T02:59:00.000Z')).toBe(6 * 3600 + 60);
    expect(secondsToMorning('2026-11-22T03:00:00Z')).toBe(30 * 3600);
  });
});

describe('the acquirer’s list', () => {
  test('lists a day’s charges by our own clock, regardless of the time zone in their dates', async () => {
    const { attempt, body } = await pay(visa, { business_time: '2031-05-10T01:30:00.000Z' });
    const day = { from: '2031-05-09T03:00:00.000Z', until: '2031-05-10T03:00:00.000Z' };
    const listed = await office.call('GET', `/charges?${new URLSearchParams(day)}`);
    expect(listed.body.charges).toEqual([
      { attempt, outcome: 'approved', reference: body.reference, amount: 150_075, refunded: 0 },
    ]);
  });

  test('follows pages to the end, and includes other deployments’ charges', async () => {
    const site = await openOffice();
    try {
      const token = await site.token(visa);
      const foreign = { site_transaction_id: 'S9-1', token, payment_method_id: 1, bin: '450799' };
      const rest = { amount: 5, currency: 'ARS', installments: 1, payment_type: 'single' };
      await site.acquirer.post('/api/v2/payments', { ...foreign, ...rest, sub_payments: [] });
      for (let sent = 0; sent < 51; sent += 1) await pay(visa, { from: site });
      const day = {
        from: new Date(Date.now() - 86_400_000).toISOString(),
        until: new Date(Date.now() + 86_400_000).toISOString(),
      };
      const names: string[] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const query = new URLSearchParams({ ...day, ...(after && { after }) });
        const { body } = await site.call('GET', `/charges?${query}`);
        names.push(...body.charges.map((one: { attempt: string }) => one.attempt));
        after = body.next;
      }
      expect(new Set(names).size).toBe(52);
      expect(names).toContain('S9-1');
    } finally {
      await site.stop();
    }
  });
});

test('lists a day without reading the site’s whole past', async () => {
  const before = Array.from({ length: 200 }, (_, no) => ({
    site_transaction_id: `T1-A1B2C3D4-X${no}`,
  }));
  const site = await openOffice({ before });
  try {
    const { attempt } = await pay(visa, { from: site });
    const listed = async (from: number, after?: string) => {
      const days = [from, from + 2].map((day) =>
        new Date(Date.now() + day * 86_400_000).toISOString(),
      );
      const [begins = '', ends = ''] = days;
      const query = { from: begins, until: ends, ...(after !== undefined && { after }) };
      return (await site.call('GET', `/charges?${new URLSearchParams(query)}`)).body;
    };
    const first = await listed(-1);
    expect(first.charges.map((one: { attempt: string }) => one.attempt)).toEqual([attempt]);
    expect(first.next).toBe('50');
    expect(await listed(-1, first.next)).toEqual({ charges: [] });
  } finally {
    await site.stop();
  }
});

test('maps every state and reason of the acquirer', () => {
  expect(Object.keys(states)).toHaveLength(20);
  for (const id of [1, 2, 76, 91, 5, 94, 51, 61, 65, 45, 48, 50, 77, 8, 39, 14, 46, 54, 55, 38, 47])
    expect(refusals.has(id), String(id)).toBe(true);
  for (const id of [
    53, 4, 7, 43, 56, 57, 28, 31, 96, 97, 3, 12, 13, 30, 49, 58, 89, 25, 95, 98, -1,
  ])
    expect(refusals.has(id), String(id)).toBe(true);
});

test('takes no browser data on a site that does not authenticate payers', async () => {
  const answer = await fetch(`${office.origin()}/browser`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(404);
});

test('writes no card number, key or query to the log', async () => {
  const all = JSON.stringify(office.lines);
  expect(office.lines.length).toBeGreaterThan(20);
  expect(all).not.toContain(visa);
  expect(all).not.toContain('emulator-private-key');
  expect(all).not.toContain('business_time');
});
