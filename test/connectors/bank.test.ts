import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBankConfig } from '../../connectors/bank/config.ts';
import { bank } from '../../connectors/bank/connector.ts';
import { centavosOf, pesosOf } from '../../connectors/bank/debin.ts';
import { cvuFor, startBank } from '../../connectors/bank/emulator/emulator.ts';
import { serve } from '../../connectors/protocol/serve.ts';
import { createVerifier, hearHere } from '../../connectors/protocol/signature.ts';
import { runKit } from '../../src/connectors/kit/index.ts';
import { callerOf, newAttempt, newSecret, orderOf } from './caller.ts';

type Told = Record<string, unknown>;

/** The service, as a connector sees it: takes signed notices. */
async function openService(secret: string) {
  const verify = createVerifier([secret], hearHere());
  const notices: Told[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', url: path = '' } = request;
    const heard = await verify(request.headers, { method, path, body: text });
    if ('id' in heard && path === '/connectors/bank/notices') {
      const { for: _, ...notice } = heard.message as Told;
      notices.push(notice);
    }
    response.writeHead('id' in heard ? 200 : 401).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, notices, stop: () => server.close() };
}

async function openOffice({ listEveryS = '300', payerMs = 300 } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-bank-'));
  const secret = newSecret();
  const login = { username: 'user', password: 'password', account: '20-1-1' };
  const place = { host: '127.0.0.1', port: 0, dataDir: path.join(folder, 'bank'), payerMs };
  const emulator = await startBank({ ...place, ...login });
  const service = await openService(secret);
  const config = readBankConfig({
    CONNECTOR_PORT: '0',
    CONNECTOR_SECRET: secret,
    CONNECTOR_DATA_DIR: path.join(folder, 'connector'),
    CONNECTOR_SERVICE_URL: service.url,
    BANK_URL: `${emulator.origin}/v1`,
    BANK_USERNAME: login.username,
    BANK_PASSWORD: login.password,
    BANK_ACCOUNT: login.account,
    BANK_PREFIX: 'T1',
    BANK_CVU_CLIENTS: '77',
    BANK_NOTICE_SECRET: 'n'.repeat(32),
    BANK_LIST_EVERY_S: listEveryS,
    BANK_TEST: 'yes',
  });
  const lines: Told[] = [];
  const served = await serve(bank(config), { ...config, log: (line) => lines.push(line) });
  return {
    ...callerOf(() => served.origin, secret),
    origin: served.origin,
    secret,
    lines,
    notices: service.notices,
    /** What happens at the bank: a payer refuses or disowns, somebody transfers. */
    happens: async (what: string, body: object) =>
      await (
        await fetch(`${emulator.origin}/emulator/${what}`, {
          method: 'POST',
          body: JSON.stringify(body),
        })
      ).json(),
    stop: async () => {
      await served.stop();
      await emulator.stop();
      service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Office = Awaited<ReturnType<typeof openOffice>>;

const debinOf = (attempt: string, account: string) =>
  orderOf(attempt, {
    channel: 'DEBIN',
    instrument: { type: 'bank_account', account, id_number: '25123456' },
  });

/** CBUs whose holders accept after a while, and never do anything. */
const accepts = '2850590940090418135201';
const waits = '2850590940090418100050';

async function ask(office: Office, account: string): Promise<string> {
  const attempt = newAttempt();
  const said = await office.call('PUT', `/charges/${attempt}`, debinOf(attempt, account));
  expect(said.body).toMatchObject({ outcome: 'pending' });
  return attempt;
}

const outcome = async (office: Office, attempt: string) =>
  (await office.ask(`/charges/${attempt}`)).body;

test('pesos of the bank are our centavos, to the last one', () => {
  for (const centavos of [1, 9, 10, 99, 100, 150_075, 999_999_999_999]) {
    expect(centavosOf(pesosOf(centavos))).toBe(centavos);
  }
  expect(pesosOf(150_075)).toBe(1500.75);
});

describe('the bank in front of its emulator', () => {
  let office: Office;
  beforeAll(async () => {
    office = await openOffice();
  });
  afterAll(() => office.stop());

  test('keeps every guarantee of the kit that it offers', async () => {
    const kit = { url: office.origin, secrets: [office.secret], patienceMs: 20_000, listen: null };
    const report = await runKit(kit);
    expect(report.results.filter(({ result }) => result === 'broken')).toEqual([]);
    expect(report.held).toBeGreaterThan(38);
  });

  test('a DEBIN is pending, then credited, and that is told', async () => {
    const attempt = await ask(office, accepts);
    const told = { type: 'charge.changed', attempt };
    await expect.poll(() => office.notices, { timeout: 20_000 }).toContainEqual(told);
    expect(await outcome(office, attempt)).toMatchObject({ outcome: 'approved', amount: 150_075 });
  });

  test('one that its payer refuses is rejected; one that is called off is canceled', async () => {
    const refused = await ask(office, waits);
    const listed = await office.call(
      'GET',
      `/charges?${new URLSearchParams({ from: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' })}`,
    );
    const { reference } = listed.body.charges.find((one: Told) => one.attempt === refused);
    await office.happens('reject', { id: reference });
    expect(await outcome(office, refused)).toMatchObject({ outcome: 'rejected' });

    const attempt = await ask(office, waits);
    const order = { attempt, business_time: new Date().toISOString() };
    const account = { id: '00A1B2C3', settings: {} };
    const said = await office.call('POST', `/charges/${attempt}/cancel`, { ...order, account });
    expect(said.body).toMatchObject({ outcome: 'canceled' });
    expect(await outcome(office, attempt)).toMatchObject({ outcome: 'canceled' });
  });

  test('one that its payer disowns is told as a chargeback of what was taken', async () => {
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

  test('a transfer to a CVU is told once, and so is its way back', async () => {
    const transfer = { id: 'COELSA1', cvu: '0000003100000000000001', amount: 1500.75 };
    const from = { cuit: '20251234564', name: 'Ana Pérez', from: accepts };
    await office.happens('transfer', { ...transfer, ...from });
    await office.happens('reverse', { id: 'COELSA1' });
    const isOurs = (one: Told) => one.id === 'COELSA1';
    await expect.poll(() => office.notices.filter(isOurs), { timeout: 20_000 }).toHaveLength(2);
    expect(office.notices.filter(isOurs)).toEqual(
      expect.arrayContaining([
        {
          type: 'transfer.received',
          id: 'COELSA1',
          cvu: transfer.cvu,
          amount: 150_075,
          paid_at: expect.any(String),
          payer: { name: 'Ana Pérez', id_number: '20251234564', account: accepts },
        },
        { type: 'transfer.reversed', id: 'COELSA1', amount: 150_075 },
      ]),
    );
  });

  test('each request has a CVU of its own, which the bank is asked for once', async () => {
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
    // As after a lost answer, also of the connector's own memory: the bank answers it again.
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

  test('transfers of a day are listed as they stand', async () => {
    const list = async (from: string, until: string) =>
      (await office.call('GET', `/transfers?${new URLSearchParams({ from, until })}`)).body;
    const cvu = '0000003100000000000001';
    await office.happens('transfer', { id: 'COELSA7', cvu, amount: 12.34, from: accepts });
    await office.happens('transfer', { id: 'COELSA8', cvu, amount: 5, from: accepts });
    await office.happens('reverse', { id: 'COELSA8' });
    const { transfers } = await list('2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z');
    const paid_at = expect.any(String);
    expect(transfers).toEqual(
      expect.arrayContaining([
        { id: 'COELSA7', cvu, amount: 1_234, paid_at, state: 'received' },
        { id: 'COELSA8', cvu, amount: 500, paid_at, state: 'reversed' },
      ]),
    );
    expect(await list('2000-01-01T00:00:00Z', '2000-01-02T00:00:00Z')).toEqual({ transfers: [] });
  });

  test('a forged notice tells nothing: the bank is asked, and knows of none', async () => {
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

test('what no notice told is found by the list', async () => {
  const office = await openOffice({ listEveryS: '1' });
  try {
    const transfer = { id: 'QUIET1', cvu: '0000003100000000000001', amount: 10, silent: true };
    await office.happens('transfer', transfer);
    const found = () => office.notices.filter(({ id }) => id === 'QUIET1');
    await expect.poll(found, { timeout: 20_000 }).toHaveLength(1);
    await office.happens('reverse', { id: 'QUIET1', silent: true });
    await expect.poll(found, { timeout: 20_000 }).toHaveLength(2);
  } finally {
    await office.stop();
  }
});
