import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDebin } from '../../connectors/bank/debin.ts';
import { rowsOf } from '../../connectors/bank/lists.ts';
import { readTransfer } from '../../connectors/bank/transfers.ts';
import documents from './bank-documents.json' with { type: 'json' };
import { type BankOffice, login, openBankOffice } from './bank-office.ts';

// Uses messages from the public documentation of the bank's API, each with its source. The
// connector must read them, and the emulator must return messages of the same form.

type Json = Record<string, unknown>;

const documented = (what: string): Json => {
  const found = documents.find((one) => one.what === what);
  if (!found) throw new Error(`No document shows ${what}.`);
  return found.message as Json;
};

/** Returns the differences in form between two messages: members, and the types of their values. */
function differences(shown: unknown, answered: unknown, place: string): string[] {
  // The examples' nulls allow any value.
  if (shown === null || answered === null) return [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(answered)) return [`${place} is no list`];
    return shown.length === 0 ? [] : differences(shown[0], answered[0], `${place}[]`);
  }
  if (typeof shown !== typeof answered) return [`${place} is a ${typeof answered}`];
  if (typeof shown !== 'object') return [];
  return Object.entries(shown as Json).flatMap(([name, value]) => {
    const own = (answered as Json)[name];
    const at = `${place}.${name}`;
    return own === undefined ? [`${at} is missing`] : differences(value, own, at);
  });
}

let office: BankOffice;
const events: Json[] = [];
const listener = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  events.push(JSON.parse(text));
  response.writeHead(200).end();
});

beforeAll(async () => {
  office = await openBankOffice();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await office.stop();
  listener.close();
});

async function bankCall(method: string, path: string, body?: object, headers: object = {}) {
  const signIn = await fetch(`${office.bank}/v1/login/jwt`, {
    method: 'POST',
    body: JSON.stringify({ username: login.username, password: login.password }),
  });
  const { token } = (await signIn.json()) as { token: string };
  const answer = await fetch(`${office.bank}/v1${path}`, {
    method,
    headers: { authorization: `JWT ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

const below = `/banks/322/accounts/${login.account}/owner`;
const debins = `${below}/transaction-request-types/DEBIN`;
const order = (origin: string, changes: object = {}) => ({
  origin_id: origin,
  to: { cbu: '2850590940090418100050' },
  value: { currency: 'ARS', amount: 10 },
  concept: 'VAR',
  expiration: 60,
  ...changes,
});

test('reads a DEBIN and a transfer in the documented format', () => {
  expect(readDebin(documented('order'))).toHaveProperty('value');
  expect(readDebin(documented('debin.acredited').data)).toHaveProperty('value');
  expect(readTransfer(documented('transfer.cvu.received').data)).toHaveProperty('value');
});

test('answers each documented notice with 200', async () => {
  const types = documents
    .map(({ what }) => what)
    .filter((what) => /^(endpoint|debin|tra)/.test(what));
  expect(types.length).toBeGreaterThan(5);
  for (const what of types) {
    const sent = await fetch(`${office.origin}/bank?secret=${'n'.repeat(32)}`, {
      method: 'POST',
      body: JSON.stringify(documented(what)),
    });
    expect([what, sent.status]).toEqual([what, 200]);
  }
});

test('emulates answers in the documented format', async () => {
  const seller = await bankCall('PUT', debins, { enabled: true });
  expect(differences(documented('seller'), seller.body, 'seller')).toEqual([]);
  const made = await bankCall('POST', `${debins}/transaction-requests`, order('556677'));
  expect(differences(documented('order'), made.body, 'order')).toEqual([]);
  const { id } = made.body;
  const deleted = await bankCall('DELETE', `${debins}/${id}`);
  expect(differences(documented('deleted'), deleted.body, 'deleted')).toEqual([]);
  const client = { client_id: 1, cuit: '30500010912', name: 'Club de Prueba', currency: 'ARS' };
  const opened = await bankCall('POST', `${below}/wallet/cvu`, client);
  expect(differences(documented('cvu'), opened.body, 'cvu')).toEqual([]);
});

test('emulates notices in the documented format, and calls a new address before saving it', async () => {
  const { port } = listener.address() as AddressInfo;
  const webhook = {
    url: `http://127.0.0.1:${port}/`,
    code: 'other',
    enabled: true,
    events: ['ALL'],
  };
  expect(await bankCall('PUT', '/webhooks', webhook)).toMatchObject({ body: { saved: true } });
  const id = (await bankCall('POST', `${debins}/transaction-requests`, order('556678'))).body.id;
  await office.happens('reject', { id });
  await office.happens('refund', { id });
  await office.happens('transfer', { id: 'COELSA9', cvu: '0000031400000000000031', amount: 1 });
  await office.happens('reverse', { id: 'COELSA8', cvu: '0000031400000000000031', amount: 1 });
  const told = ['endpoint.created', 'debin.rejected', 'debin.refunded', 'transfer.cvu.received'];
  for (const what of [...told, 'transfer.cvu.reversed']) {
    const event = events.find(({ type }) => type === what);
    expect(differences(documented(what), event, what)).toEqual([]);
  }
});

test('emulates the bank’s refusals', async () => {
  const refusals: [string, object][] = [
    ['TX033', { origin_id: '1234567890123456' }],
    ['TX016', { to: {} }],
    ['TX017', { to: { cbu: '2850590940090418100050', label: 'un.alias' } }],
    ['TX008', { to: { cbu: '2850590940090418100051' } }],
    ['TX003', { value: { amount: 10 } }],
    ['TX012', { value: { currency: 'USD', amount: 10 } }],
    ['TX004', { value: { currency: 'ARS' } }],
    ['TX011', { value: { currency: 'ARS', amount: '10.00' } }],
    ['TX010', { concept: 'OTRO' }],
    ['TX035', { description: 'x'.repeat(101) }],
  ];
  for (const [code, change] of refusals) {
    const path = `${debins}/transaction-requests`;
    const { status, body } = await bankCall('POST', path, order('refused', change));
    expect([status, body.code]).toEqual([409, code]);
  }
  expect(await bankCall('GET', `${debins}/NOBODYS`)).toMatchObject({ body: { code: 'TX018' } });
  const name = { client_id: 2, cuit: '30500010912', name: 'Güemes & Hijos', currency: 'ARS' };
  const path = `${below}/wallet/cvu`;
  expect(await bankCall('POST', path, name)).toMatchObject({
    status: 409,
    body: { code: 'PA015' },
  });
  const text = { ...name, name: 'Hijos', client_id: '000000000002' };
  expect(await bankCall('POST', path, text)).toMatchObject({
    status: 409,
    body: { code: 'VW001' },
  });
  const closed = { url: 'http://127.0.0.1:9/', code: 'x', enabled: true, events: ['ALL'] };
  const refused = await bankCall('PUT', '/webhooks', closed);
  expect(refused).toMatchObject({ status: 409, body: { connection: false, saved: false } });
});

test('pages and filters emulated lists only by headers, and lists sent transfers by default', async () => {
  const path = `${below}/transaction-request-types/TRANSFER-CVU`;
  expect(
    (await bankCall('GET', `${path}?limit=50&obp_origin=TRANSFERENCIAS_RECIBIDAS`)).body,
  ).toMatchObject([{ details: { origin_debit: {} } }]);
  const headers = { obp_limit: '50', obp_offset: '1', obp_origin: 'TRANSFERENCIAS_RECIBIDAS' };
  expect((await bankCall('GET', path, undefined, headers)).body).toMatchObject([{ id: 'COELSA9' }]);
});

test('reads a list of 400 full pages, and rejects a longer one', async () => {
  const rowsIn = (pages: number) =>
    Array.fromAsync(
      rowsOf(async (page) => ({ rows: page > pages ? [] : [page], isFull: page <= pages })),
    );
  expect(await rowsIn(400)).toHaveLength(400);
  await expect(rowsIn(401)).rejects.toThrow('more than 400 pages');
});
