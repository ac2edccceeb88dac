import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { isCvu } from '../../src/kernel/cbu.ts';
import { crc16 } from '../../src/kernel/emv.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { inDays } from '../harness/builders/clock.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Walls, wallsOf, withoutWorker } from '../harness/builders/static-qrs.ts';
import { expectQrError } from '../harness/errors.ts';
import { testVaultKeys } from '../harness/keys.ts';
import {
  type Answer,
  call,
  startService,
  type TestService,
  testAccount,
} from '../harness/service.ts';

const token = 'sandbox-resolve-token';

let service: TestService;
let walls: Walls;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
  qr = callerOf(service);
});
afterAll(() => service?.stop());

/** Sends a call of a wallet's back end, without an API key. */
const ask = (query: Record<string, string>): Promise<Answer> =>
  service.call('GET', `/resolve?${new URLSearchParams(query)}`, { key: null });

const resolved = async (data: string): Promise<Answer['body']> => {
  const answer = await ask({ data, access_token: token, elapsed_time: '120', attempt: '1' });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const signed = (text: string): string => {
  const covered = `${text.slice(0, -8)}6304`;
  return covered + crc16(covered);
};

const saved = async (id: string, fields: Record<string, unknown> = {}) => {
  await qr.save([itemOf(service, id, fields)]);
  return (await qr.status(id)).body.qr_string;
};

describe('the query of a wallet', () => {
  test('resolves amount, order and collector of a dynamic QR', async () => {
    const answer = await resolved(await saved('closed', { first_total: 1430.5 }));
    expect(answer).toEqual({
      status: 'closed_amount',
      administrator: { identification_number: '30692264785', name: 'COELSA' },
      collector: {
        account: expect.any(String),
        identification_number: '30999999995',
        name: 'Cooperativa de Demostración',
        mcc: '9399',
      },
      order: {
        id: full('closed'),
        total_amount: 1430.5,
        items: [
          {
            title: 'Cuota de diciembre',
            description: 'Cuota de diciembre',
            quantity: 1,
            unit_price: 1430.5,
            currency_id: 'ARS',
          },
        ],
      },
      payment_methods_allowed: [{ id: 'TRANSFER' }],
    });
    expect(isCvu(answer.collector.account)).toBe(true);
  });

  test('resolves the second total after the first due day', async () => {
    const text = await saved('second', {
      first_total: 100,
      first_due_date: inDays(service, 1),
      second_due_date: inDays(service, 5),
      second_total: 110,
    });
    expect((await resolved(text)).order.total_amount).toBe(100);
    await qr.move({ days: 2 });
    expect((await resolved(text)).order.total_amount).toBe(110);
    await qr.move({ days: 4 });
    expect((await resolved(text)).status).toBe('error');
  });

  test('reports a paid or deleted QR as such', async () => {
    const paid = await saved('paid');
    await qr.pay('paid');
    const deleted = await saved('deleted');
    await qr.remove('deleted');
    for (const [text, word] of [
      [paid, 'Paid'],
      [deleted, 'Deleted'],
    ] as const) {
      expect(await resolved(text)).toEqual({ status: 'error', message: `The QR is ${word}.` });
    }
  });

  test('resolves a multi-payment QR after a payment', async () => {
    const text = await saved('many', { multiple_payment: true });
    await qr.pay('many');
    expect((await resolved(text)).status).toBe('closed_amount');
  });

  test('resolves a static QR’s transaction, and asks wallets to wait before and after it', async () => {
    const wall = await walls.create();
    expect(await resolved(wall.qr_string)).toEqual({ status: 'pending', retry_delay: 2 });
    const id = await walls.asked(wall.qr_string, { first_total: 55.5 });
    const live = await resolved(wall.qr_string);
    expect([live.status, live.order.id, live.order.total_amount]).toEqual([
      'closed_amount',
      id,
      55.5,
    ]);
    expect(live.collector.postal_code).toBe('X5000ABC');
    await walls.pay(id);
    expect((await resolved(wall.qr_string)).status).toBe('pending');
  });

  test('resolves the bounds of an open amount', async () => {
    const wall = await walls.create({ qr_type: 'static_open_amount' });
    expect(await resolved(wall.qr_string)).toMatchObject({
      status: 'open_amount',
      order: { id: wall.id, min_amount: 0.01, max_amount: 99_999_999.99 },
    });
  });

  test('reports a single-payment static QR as paid after its payment', async () => {
    const wall = await walls.create({ multiple_payment: 'false' });
    await walls.pay(await walls.asked(wall.qr_string));
    expect(await resolved(wall.qr_string)).toEqual({
      status: 'error',
      message: 'The QR is Paid.',
    });
  });

  test('answers that codes of an unknown acceptor, account, CUIT or id are not supported', async () => {
    const { qr_string } = await walls.create({ id: 'MINE' });
    const foreign = await resolved(signed(qr_string.replace('ar.recaudo', 'ar.another')));
    expect(foreign.status).toBe('unsupported_qr_code');
    const unknown = await resolved(signed(qr_string.replace('-MINE', '-NONE')));
    expect(unknown.status).toBe('unsupported_qr_code');
    const account = await resolved(signed(qr_string.replace(testAccount, 'FFFFFFFF')));
    expect(account.status).toBe('unsupported_merchant');
    const cuit = await resolved(signed(qr_string.replace('30999999995', '30500000194')));
    expect(cuit.status).toBe('unsupported_merchant');
  });
});

describe('access to the resolve call', () => {
  test('refuses to resolve without a token, with a wrong one, without data, or with data that is no QR', async () => {
    const data = await saved('guarded');
    expectQrError(await ask({ data }), 403, 'H321');
    expectQrError(await ask({ data, access_token: '' }), 403, 'H321');
    expectQrError(await ask({ data, access_token: 'sandbox-resolve-tokem' }), 401, 'H322');
    expectQrError(await ask({ access_token: token }), 400, 'H323');
    const { text } = await ask({ data: `${data}0`, access_token: token });
    for (const bad of ['hello', `${data}0`, data.slice(0, 40), `${data.slice(0, -4)}0000`]) {
      expectQrError(await ask({ data: bad, access_token: token }), 422, 'H324');
    }
    expect(text).not.toContain(token);
  });

  test('limits calls with a wrong token by address, and those with a right one at once', async () => {
    const limits = { STRANGER_RATE: '1', CALLS_AT_ONCE: '1' };
    const limited = await startService({ ...withoutWorker, ...limits });
    try {
      const status = async (access_token: string) => {
        const query = new URLSearchParams({ data: 'x', access_token });
        return await call(limited.origin, 'GET', `/resolve?${query}`, { key: null });
      };
      const wrong = await Promise.all(Array.from({ length: 100 }, () => status('wrong')));
      const refused = wrong.filter((answer) => answer.status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await status(token)).status).toBe(422);
      expect((await status(token)).status).toBe(422);
    } finally {
      await limited.stop();
    }
  });

  test('refuses a code with control characters, without affecting concurrent calls', async () => {
    const data = await saved('printed');
    const bad = [data.replace('printed', 'prin\0ed'), data.replace(testAccount, 'A1B2\0D3E')];
    const answers = await Promise.all(
      [...bad.map(signed), data].map((text) => ask({ data: text, access_token: token })),
    );
    for (const answer of answers.slice(0, 2)) expectQrError(answer, 422, 'H324');
    expect(answers[2]?.body.status).toBe('closed_amount');
  });

  test('refuses the sandbox’s token once several others are configured, each of which works', async () => {
    const own = await startService({
      ...withoutWorker,
      RESOLVE_TOKENS: 'scheme-one-0123456789, scheme-two-0123456789',
    });
    try {
      const status = async (access_token: string) => {
        const query = new URLSearchParams({ data: 'x', access_token });
        return (await own.call('GET', `/resolve?${query}`, { key: null })).status;
      };
      expect(await status('scheme-one-0123456789')).toBe(422);
      expect(await status('scheme-two-0123456789')).toBe(422);
      expect(await status(token)).toBe(401);
    } finally {
      await own.stop();
    }
  });

  test('refuses everyone in production until tokens are set', async () => {
    const port = await freePort('127.0.0.1');
    const production = await startService({
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://pagos.example.com',
      BARCODE_CONVENTION: '5150000001',
      PORT: String(port),
      ROLES: 'qr',
    });
    try {
      const path = `/resolve?data=x&access_token=${token}`;
      const answer = await call(`http://127.0.0.1:${port}`, 'GET', path, { key: null });
      expectQrError(answer, 401, 'H322');
    } finally {
      await production.stop();
    }
  });

  test('rejects the sandbox’s token and a short one in the configuration of production', () => {
    const env = {
      ENVIRONMENT: 'production',
      DATABASE_URL: 'postgres://localhost/recaudo',
      PUBLIC_URL: 'https://pagos.example.com',
      BARCODE_CONVENTION: '5150000001',
      SMTP_URL: 'smtp://127.0.0.1:1',
      VAULT_KEYS: testVaultKeys,
    };
    expect(() => readConfig({ ...env, RESOLVE_TOKENS: `scheme-one-0123456789,${token}` })).toThrow(
      'RESOLVE_TOKENS must not contain the token of the sandbox',
    );
    expect(() => readConfig({ ...env, RESOLVE_TOKENS: 'short' })).toThrow('16 to 255');
    const { RESOLVE_TOKENS } = readConfig({ ...env, RESOLVE_TOKENS: 'scheme-one-0123456789' });
    expect(RESOLVE_TOKENS).toEqual(['scheme-one-0123456789']);
    expect(readConfig({ ...env, RESOLVE_TOKENS: `my-${token}` }).RESOLVE_TOKENS).toEqual([
      `my-${token}`,
    ]);
  });
});
