import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { refusal as refundRefusal } from '../../src/money/refunds/codes.ts';
import { refusals as platform } from '../../src/platform/codes.ts';
import { type RefusalKind, refusalStatuses } from '../../src/platform/errors.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import type { CodeSpec } from '../../src/platform/refusals.ts';
import { refusals } from '../../src/qr/codes.ts';
import { qrErrorAnswer } from '../../src/qr/errors/answers.ts';
import { refusals as imports } from '../../src/qr/imports/codes.ts';
import { allCodes } from '../../src/qr/index.ts';
import { testOperator } from '../harness/actors.ts';
import { batchOf, callerOf, itemOf } from '../harness/builders/qrs.ts';
import { expectQrError } from '../harness/errors.ts';
import { call, startService, type TestService } from '../harness/service.ts';

const calls: [string, string][] = [
  ['POST', '/save-qr-data'],
  ['GET', '/status/any'],
  ['POST', '/edit-qr/any'],
  ['POST', '/batch-edit-qr'],
  ['DELETE', '/delete-qr/any'],
  ['DELETE', '/batch-delete-qr'],
  ['POST', '/pay-qr/any'],
];

/** Creates another account. Returns its key. */
async function otherAccount(
  service: TestService,
  { id, permissions }: { id: string; permissions: ('read' | 'write' | 'sandbox')[] },
): Promise<string> {
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const input = { id, name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, input);
  return await createKey(acting, {
    id: await base.recordIds.next(),
    environment: service.config.ENVIRONMENT,
    accountId: id,
    name: 'test',
    permissions,
    expiresAt: null,
    secret: null,
  });
}

const kinds = new Map(
  Object.entries<CodeSpec>({ ...platform.codes, ...refusals.codes, ...imports.codes }).map(
    ([name, { kind }]) => [name, kind],
  ),
);
const kindOf = (name: string) => kinds.get(name) as RefusalKind;

test('lists every code once with a status', () => {
  expect(new Set(allCodes.map(({ code }) => code)).size).toBe(allCodes.length);
  for (const { code, status, meaning, errors = [] } of allCodes) {
    // All errors under an H code share its status.
    for (const one of errors) expect([one, refusalStatuses[kindOf(one)]]).toEqual([one, status]);
    expect(code).toMatch(/^H[0-9]{3}$/);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(meaning).toMatch(/^[A-Za-z].*[^.]$/);
  }
});

test('answers H409 to a conflict, even if it names a field', () => {
  const sums = { left: centavos(100), waiting: centavos(100) };
  const { status, answer } = qrErrorAnswer(refundRefusal('refund.waits_for_approval', sums));
  expect([status, answer.code]).toEqual([409, 'H409']);
  expect(answer.errors).toEqual([expect.objectContaining({ field: 'amount' })]);
  const faulty = qrErrorAnswer(refundRefusal('refund.cbu_invalid', {}));
  expect([faulty.status, faulty.answer.code]).toEqual([400, 'H103']);
});

describe('the QR service alone', () => {
  let service: TestService;
  let qr: ReturnType<typeof callerOf>;
  beforeAll(async () => {
    service = await startService({ ROLES: 'qr', RATE_LIMIT: '1', RATE_BURST: '60' });
    qr = callerOf(service);
  });
  afterAll(() => service.stop());

  test('serves its own calls and ping, but none of the payments service', async () => {
    expect((await qr.save([itemOf(service, 'alone')])).status).toBe(201);
    expect((await service.call('GET', '/status', { key: null })).status).toBe(200);
    expect((await service.call('GET', '/payment-request/1')).status).toBe(404);
  });

  test('answers unknown paths, methods and addresses with its own codes', async () => {
    const method = await service.call('GET', '/save-qr-data');
    expectQrError(method, 405, 'H405');
    expect(method.headers.get('allow')).toBe('POST');
    expectQrError(await service.call('GET', '/nothing'), 404, 'H404');
    expectQrError(await service.call('GET', '/status/%zz'), 400, 'H400');
    expectQrError(await service.call('POST', `/pay-qr/${'x'.repeat(201)}`), 404, 'H404');
  });

  test('refuses calls with an unknown key', async () => {
    for (const [method, path] of calls) {
      const answer = await service.call(method, path, { key: 'wrong' });
      expectQrError(answer, 401, 'H401');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('limits a key to its permissions', async () => {
    const key = await otherAccount(service, { id: 'CCCCCCCC', permissions: ['read'] });
    for (const [method, path] of calls) {
      const answer = await service.call(method, path, { key });
      const code = method === 'GET' ? 'H404' : 'H403';
      expectQrError(answer, method === 'GET' ? 404 : 403, code);
    }
  });

  test('hides other accounts’ QRs', async () => {
    const key = await otherAccount(service, { id: 'DDDDDDDD', permissions: ['read', 'write'] });
    const id = String((await qr.status('alone')).body.id);
    for (const name of [id, 'alone']) {
      expectQrError(await service.call('GET', `/status/${name}`, { key }), 404, 'H404');
      const removed = await service.call('DELETE', `/delete-qr/${name}`, { key });
      expectQrError(removed, 404, 'H404');
      const edited = await service.call('POST', `/edit-qr/${name}`, {
        key,
        body: itemOf(service, name),
      });
      expectQrError(edited, 404, 'H404');
    }
    const batch = await service.call('DELETE', '/batch-delete-qr', { key, body: batchOf([id]) });
    expect(expectQrError(batch, 400, 'H103')[0]?.message).toContain('the id of another account');
    expect((await qr.status('alone')).body.status).toBe('Pending');
    const same = await service.call('POST', '/save-qr-data', {
      key,
      body: batchOf([itemOf(service, 'alone')]),
    });
    expect([same.status, same.body.data]).toEqual([201, [{ id: 'DDDDDDDD-alone' }]]);
  });

  test('limits a key’s calls', async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => qr.status('alone')));
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) throw new Error('no call was refused');
    expectQrError(refused, 429, 'H429');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('serves none of its calls in a process without the role', async () => {
  const service = await startService({ ROLES: 'payments' });
  const answer = await service.call('POST', '/save-qr-data', { body: {} });
  expect([answer.status, answer.body.code]).toEqual([404, 404]);
  await service.stop();
});

test('does not simulate a wallet in production', async () => {
  const port = await freePort('127.0.0.1');
  const service = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pagos.example.com',
    BARCODE_CONVENTION: '5150000001',
    PORT: String(port),
    ROLES: 'qr',
  });
  const send = (method: string, path: string, body?: unknown) =>
    call(`http://127.0.0.1:${port}`, method, path, { key, ...(body !== undefined && { body }) });
  const key = await otherAccount(service, {
    id: 'EEEEEEEE',
    permissions: ['read', 'write', 'sandbox'],
  });
  expectQrError(await send('POST', '/pay-qr/real'), 403, 'H403');
  const wrong = { first_total: 'wrong' };
  expectQrError(await send('POST', '/pay-qr-static/real', wrong), 403, 'H403');
  const saved = await send('POST', '/save-qr-data', batchOf([itemOf(service, 'real')]));
  expectQrError(saved, 400, 'H106');
  await service.stop();
});
