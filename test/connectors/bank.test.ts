import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../connectors/bank/api.ts';
import type { BankConfig } from '../../connectors/bank/config.ts';
import { nameOf } from '../../connectors/bank/cvu.ts';
import { centavosOf, originOf, pesosOf } from '../../connectors/bank/debin.ts';
import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import { runKit } from '../../src/connectors/kit/index.ts';
import { type BankOffice, login, openBankOffice, type Told } from './bank-office.ts';
import { newAttempt, orderOf } from './caller.ts';

const debinOf = (attempt: string, account: string) =>
  orderOf(attempt, {
    channel: 'DEBIN',
    instrument: { type: 'bank_account', account, id_number: '25123456' },
  });

/** CBUs by the behavior of their holders or of the bank. */
const accepts = '2850590940090418135201';
const waits = '2850590940090418100050';
const givenUp = '2850590940090418100067';
const refusedAnyhow = '2850590940090418100074';
const takenAnyhow = '2850590940090418100081';
const refuses = '2850590940090418100098';

async function ask(office: BankOffice, account: string): Promise<string> {
  const attempt = newAttempt();
  const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, account));
  expect(said.body).toMatchObject({ outcome: 'pending' });
  return attempt;
}

const outcome = async (office: BankOffice, attempt: string) =>
  (await office.ask(`/charges/${attempt}`)).body;

test('converts the bank’s pesos to centavos exactly', () => {
  for (const centavos of [1, 9, 10, 99, 100, 150_075, 999_999_999_999]) {
    expect(centavosOf(pesosOf(centavos))).toBe(centavos);
  }
  expect(pesosOf(150_075)).toBe(1500.75);
});

test.each([
  [1, 200],
  [9, 401],
])(
  'repeats an order once with a new token after a 401 (%d tokens end early)',
  async (ended, end) => {
    const orders: unknown[] = [];
    let tokens = 0;
    const server = createServer((request, response) => {
      const isLogin = request.url === '/login/jwt';
      if (isLogin) tokens += 1;
      else orders.push(request.headers.authorization);
      response.writeHead(isLogin || tokens > ended ? 200 : 401);
      response.end(JSON.stringify(isLogin ? { token: `T${tokens}`, expires_in: 3600 } : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const api = createApi({ url, ...login, tls: {} } as unknown as BankConfig);
      const answered = await api.call('POST', '/orders', {}, AbortSignal.timeout(20_000));
      expect(answered.status).toBe(end);
      expect(orders).toEqual(['JWT T1', 'JWT T2']);
    } finally {
      server.close();
    }
  },
);

describe('the bank connector against its emulator', () => {
  let office: BankOffice;
  beforeAll(async () => {
    office = await openBankOffice();
  });
  afterAll(() => office.stop());

  test('keeps every guarantee of the kit that it offers', async () => {
    const kit = { url: office.origin, secrets: [office.secret], patienceMs: 20_000, listen: null };
    const report = await runKit(kit);
    expect(report.results.filter(({ result }) => result === 'broken')).toEqual([]);
    expect(report.held).toBeGreaterThan(38);
  });

  test('reports a DEBIN as pending, then credited, with a notice', async () => {
    const attempt = await ask(office, accepts);
    const told = { type: 'charge.changed', attempt };
    await expect.poll(() => office.notices, { timeout: 20_000 }).toContainEqual(told);
    expect(await outcome(office, attempt)).toMatchObject({ outcome: 'approved', amount: 150_075 });
  });

  test('rejects a DEBIN that its payer refuses, and cancels one on request', async () => {
    const refused = await ask(office, refuses);
    await expect
      .poll(async () => await outcome(office, refused), { timeout: 20_000 })
      .toMatchObject({ outcome: 'rejected', code: 'REJECTED_CLIENT', retry: 'other_instrument' });
    const attempt = await ask(office, waits);
    const order = { attempt, business_time: new Date().toISOString() };
    const account = { id: '00A1B2C3', settings: {} };
    const said = await office.call('POST', `/charges/${attempt}/cancel`, { ...order, account });
    expect(said.body).toMatchObject({ outcome: 'canceled' });
    expect(await outcome(office, attempt)).toMatchObject({ outcome: 'canceled' });
  });

  test('keeps a DEBIN open if the bank abandoned it, and alerts the operator', async () => {
    const attempt = await ask(office, givenUp);
    await expect
      .poll(async () => await outcome(office, attempt), { timeout: 20_000 })
      .toMatchObject({ outcome: 'pending', alarm: expect.stringContaining('gave up') });
  });

  test('treats an order’s outcome as unknown after a generic error, and inquires', async () => {
    for (const [account, then] of [
      [refusedAnyhow, 'pending'],
      [takenAnyhow, 'approved'],
    ] as const) {
      const attempt = newAttempt();
      const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, account));
      expect(said.status).toBe(502);
      await expect
        .poll(async () => (await outcome(office, attempt)).outcome, { timeout: 20_000 })
        .toBe(then);
    }
  });

  test('treats an order’s outcome as unknown after a stale token, and repeats reads', async () => {
    const known = await ask(office, waits);
    await office.happens('tokens', {});
    const attempt = newAttempt();
    const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, waits));
    expect(said.status).toBe(502);
    await office.happens('tokens', {});
    expect(await outcome(office, known)).toMatchObject({ outcome: 'pending' });
  });

  test('answers unheard with an alarm if the account may not collect', async () => {
    await office.happens('seller', { enabled: false });
    const attempt = newAttempt();
    const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, waits));
    await office.happens('seller', { enabled: true });
    expect(said.body).toMatchObject({
      outcome: 'unheard',
      alarm: expect.stringContaining('TX022'),
    });
  });

  test('lets the payer retype a wrong account number', async () => {
    const attempt = newAttempt();
    const wrong = '2850590940090418135202';
    const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, wrong));
    expect(said.body).toMatchObject({ outcome: 'rejected', code: 'TX008', retry: 'same_now' });
  });

  test('reports a disowned DEBIN as a chargeback of the collected amount', async () => {
    const attempt = await ask(office, accepts);
    await expect
      .poll(async () => (await outcome(office, attempt)).outcome, { timeout: 20_000 })
      .toBe('approved');
    const { reference } = await outcome(office, attempt);
    await office.happens('refund', { id: reference });
    const told = {
      type: 'charge.charged_back',
      id: reference,
      attempt,
      amount: 150_075,
      reference,
    };
    await expect.poll(() => office.notices, { timeout: 20_000 }).toContainEqual(told);
  });

  test('reports a transfer to a CVU once, but no reversal of one sent from a CVU', async () => {
    const transfer = { id: 'COELSA1', cvu: '0000003100000000000001', amount: 1500.75 };
    const from = { cuit: '20251234564', name: 'Ana Pérez', from: accepts };
    await office.happens('reverse', { id: 'SENT1', cvu: transfer.cvu, amount: 20 });
    await office.happens('transfer', { ...transfer, ...from });
    const told = {
      type: 'transfer.received',
      id: 'COELSA1',
      cvu: transfer.cvu,
      amount: 150_075,
      paid_at: expect.any(String),
      payer: { name: 'Ana Pérez', id_number: '20251234564', account: accepts },
    };
    await expect.poll(() => office.notices, { timeout: 20_000 }).toContainEqual(told);
    expect(office.notices.filter(({ id }) => id === 'COELSA1')).toHaveLength(1);
    expect(office.notices.filter(({ id }) => id === 'SENT1')).toEqual([]);
  });

  test('orders one CVU per request from the bank, and rejects a request id that is too long', async () => {
    const order = (reference: string, request: string) => ({
      reference,
      business_time: new Date().toISOString(),
      account: { id: '00A1B2C3', settings: {} },
      request: { id: request },
      holder: { name: 'Club de Prueba', cuit: '30500010912' },
      deadline: new Date(Date.now() + 40_000).toISOString(),
    });
    const open = async (reference: string, request: string) =>
      (await office.call('PUT', `/accounts/${reference}`, order(reference, request))).body;
    const cvu = cvuFor('770000001234');
    expect(await open('00A1B2C3-1234', '1234')).toEqual({ outcome: 'open', cvu });
    // After a lost answer the bank returns the same CVU, even if the connector's journal is lost
    // too.
    expect(await open('00A1B2C3-lost', '1234')).toEqual({ outcome: 'open', cvu });
    expect(await open('00A1B2C3-1235', '1235')).toEqual({
      outcome: 'open',
      cvu: cvuFor('770000001235'),
    });
    expect(await open('00A1B2C3-long', '12345678901')).toMatchObject({
      outcome: 'rejected',
      code: 'unfit',
    });
  });

  test('lists the received transfers of a period page by page, without those in progress', async () => {
    const list = async (from: string, until: string) => {
      const found: Told[] = [];
      let after: string | undefined;
      do {
        const query = new URLSearchParams({ from, until, ...(after && { after }) });
        const { body } = await office.call('GET', `/transfers?${query}`);
        found.push(...body.transfers);
        after = body.next;
      } while (after);
      return found;
    };
    const cvu = '0000003100000000000001';
    const transfers = Array.from({ length: 60 }, (_, at) => ({
      id: `PAGED${at}`,
      cvu,
      amount: 12.34,
    }));
    for (const one of transfers) await office.happens('transfer', { ...one, silent: true });
    await office.happens('transfer', { id: 'WAITS1', cvu, amount: 5, status: 'IN_PROGRESS' });
    const found = await list('2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z');
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(transfers.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain('WAITS1');
    expect(found).toContainEqual({
      id: 'PAGED59',
      cvu,
      amount: 1_234,
      paid_at: expect.any(String),
      state: 'received',
    });
    expect(await list('2000-01-01T00:00:00Z', '2000-01-02T00:00:00Z')).toEqual([]);
  });

  test('ignores a forged notice, refuses a wrong secret, and never logs the right one', async () => {
    const before = office.notices.length;
    const forged = { type: 'transfer.cvu.received', data: { id: 'FORGED' } };
    const sent = await fetch(`${office.origin}/bank?secret=${'n'.repeat(32)}`, {
      method: 'POST',
      body: JSON.stringify(forged),
    });
    expect(sent.status).toBe(200);
    const guessed = await fetch(`${office.origin}/bank?secret=guess`, {
      method: 'POST',
      body: '{}',
    });
    expect(guessed.status).toBe(404);
    expect(office.notices.length).toBe(before);
    expect(JSON.stringify(office.lines)).not.toContain('n'.repeat(32));
  });
});

test('finds transfers without a notice by polling, even if notices cannot be registered', async () => {
  const publicUrl = 'http://127.0.0.1:9';
  const office = await openBankOffice({ listEveryS: '1', publicUrl });
  try {
    const transfer = { id: 'QUIET1', cvu: '0000003100000000000001', amount: 10, silent: true };
    await office.happens('transfer', transfer);
    const found = () => office.notices.filter(({ id }) => id === 'QUIET1');
    await expect.poll(found, { timeout: 20_000 }).toHaveLength(1);
    const what = 'the address of notices was not registered';
    expect(office.lines).toContainEqual(expect.objectContaining({ what }));
  } finally {
    await office.stop();
  }
});

test('writes names in the bank’s alphabet, with 5 to 41 characters', () => {
  expect(nameOf('Club de Prueba')).toBe('Club de Prueba');
  expect(nameOf('Güemes & Hijos S.A. (Ñandú)')).toBe('Guemes Hijos S.A. Ñandú');
  expect(nameOf('ACME')).toBe('ACME.');
  expect(nameOf('ó'.repeat(60))).toBe('ó'.repeat(41));
});

test('gives an order the same name at the bank each time, with 15 letters and digits', () => {
  const config = { prefix: 'T1' } as Parameters<typeof originOf>[0];
  expect(originOf(config, '00A1B2C3-1')).toMatch(/^[a-z0-9]{15}$/);
  expect(originOf(config, '00A1B2C3-1')).toBe(originOf(config, '00A1B2C3-1'));
});
