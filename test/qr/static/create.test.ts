import { parse } from 'promptparse';
import { decode } from 'steplix-emvqr';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { testOperator } from '../../harness/actors.ts';
import {
  staticBody,
  type Walls,
  wallsOf,
  withoutWorker,
} from '../../harness/builders/static-qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
let walls: Walls;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
});
afterAll(() => service?.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/create-qr', { body, headers });

test('returns the same from create-qr as from status-static, with prefix, text and images', async () => {
  const created = await post(staticBody({ id: 'MUSEO' }));
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: `${testAccount}-MUSEO`,
    account_id: testAccount,
    cuit: '30999999995',
    qr_type: 'static_closed_amount',
    qr_name: 'Caja 1',
    city: 'Córdoba',
    postal_code: 'X5000ABC',
    multiple_payment: true,
    description: 'Entradas del museo',
    payer_name: 'Visitantes',
    status: 'Pending',
    created_at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
    created_at_time: expect.stringMatching(/-03:00$/),
    qr_string: expect.any(String),
    image_url: expect.stringMatching(/^http.*\/qr-image\/.*\.png$/),
    image_svg_url: expect.stringMatching(/\.svg$/),
  });
  expect(await walls.status('MUSEO')).toEqual(created.body);
  expect(await walls.status(`${testAccount}-MUSEO`)).toEqual(created.body);
  expect(await walls.events('static_qr', `${testAccount}-MUSEO`)).toEqual(['static_qr.created']);
});

test('encodes a static code of the account, verified by other parsers', async () => {
  const { id, qr_string } = await walls.create({ postal_code: '', city: 'Cañuelas' });
  const read = JSON.stringify(decode(qr_string, true));
  for (const part of ['CANUELAS', '30999999995', 'ar.recaudo', id]) expect(read).toContain(part);
  const parsed = parse(qr_string, true, true);
  expect(parsed?.getTagValue('01')).toBe('11');
  expect(parsed?.getTagValue('62', '01')).toBe(id);
  expect(parsed?.getTagValue('54')).toBeUndefined();
});

test.each([
  ['id', 'with space'],
  ['id', '12345678901234567'],
  ['id', 'FFFFFFFF-CAJA'],
  ['id', 17],
  ['qr_type', 'dynamic'],
  ['qr_name', 'longer than fifteen'],
  ['city', 'San Salvador de Jujuy'],
  ['postal_code', '12345678901'],
  ['multiple_payment', 'maybe'],
  ['description', 'x'],
  ['description', 'x'.repeat(501)],
  ['payer_name', ' '],
])('refuses %s = %j at its field', async (field, value) => {
  const answer = await post(staticBody({ id: 'REFUSED', [field]: value }));
  expectQrError(answer, 400, 'H103');
  expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
});

test('reports every missing field at once, except the optional postal_code', async () => {
  const answer = await post({});
  expectQrError(answer, 400, 'H103');
  expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual([
    'id',
    'qr_type',
    'qr_name',
    'city',
    'multiple_payment',
    'description',
    'payer_name',
  ]);
  expectQrError(await post('[]'), 400, 'H400');
  expectQrError(await post('{'), 400, 'H400');
  expectQrError(await service.call('POST', '/create-qr', { body: {}, key: null }), 401, 'H401');
});

test('accepts an id once, even from concurrent calls', async () => {
  const body = staticBody({ id: 'ONCE' });
  const answers = await Promise.all([post(body), post(body), post(body)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  for (const answer of answers) if (answer.status === 409) expectQrError(answer, 409, 'H104');
  expect(await walls.events('static_qr', `${testAccount}-ONCE`)).toHaveLength(1);
});

test('replays the first answer for an Idempotency-Key, and frees the key after a failed call', async () => {
  const headers = { 'idempotency-key': 'wall-1' };
  const taken = await post(staticBody({ id: 'ONCE' }), headers);
  expectQrError(taken, 409, 'H104');
  const first = await post(staticBody({ id: 'KEYED' }), headers);
  const again = await post(staticBody({ id: 'KEYED' }), headers);
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expectQrError(await post(staticBody({ id: 'KEYED2' }), headers), 422, 'H422');
});

test('hides a static QR from another account, which may use the same id', async () => {
  await walls.create({ id: 'SHARED' });
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const other = await createAccount(acting, {
    id: null,
    name: 'Club Otro',
    cuit: '30500000194',
    city: 'Salta',
  });
  const key = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: other.id,
    name: 'other',
    permissions: ['read', 'write', 'sandbox'],
    expiresAt: null,
    secret: null,
  });
  for (const id of ['SHARED', `${testAccount}-SHARED`]) {
    expectQrError(await service.call('GET', `/status-static/${id}`, { key }), 404, 'H404');
    const paid = await service.call('POST', `/pay-qr-static/${id}`, { key, body: {} });
    expectQrError(paid, 404, 'H404');
  }
  const own = await service.call('POST', '/create-qr', { key, body: staticBody({ id: 'SHARED' }) });
  expect([own.status, own.body.id]).toEqual([201, `${other.id}-SHARED`]);
});
