import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Attempt,
  type ClientOptions,
  ConfigurationError,
  ConnectionError,
  DeadlineError,
  Recaudo,
  RefusedError,
  UnexpectedAnswerError,
} from '../../../clients/typescript/src/index.ts';
import {
  cut,
  hangUp,
  html,
  json,
  refused,
  type Scripted,
  type Step,
  scripted,
  silence,
} from './scripted.ts';

const key = 'rk_live_0123456789abcdefSECRET';
const account = { id: 'A1B2C3D4', name: 'Club' };
const fields = {
  description: 'Cuota',
  first_due_date: '10-12-2030',
  first_total: 1430.5,
  payer_name: 'Ana',
};

let server: Scripted | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(
  steps: Step[],
  options: Partial<ClientOptions> = {},
): Promise<{ recaudo: Recaudo; heard: Scripted['heard'] }> {
  server = await scripted(...steps);
  return { recaudo: new Recaudo({ key, baseUrl: server.origin, ...options }), heard: server.heard };
}

const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(`It did not reject with an error: ${inspect(error)}`);
};

const keysOf = (heard: Scripted['heard']): unknown[] =>
  heard.map(({ headers }) => headers['idempotency-key']);

describe('retries of a call', () => {
  test('repeats a call under one Idempotency-Key, whatever fails', async () => {
    const { recaudo, heard } = await clientOf([
      hangUp,
      html(502),
      refused(503, 'outcome_unknown'),
      json(201, { id: 1 }),
    ]);
    expect(await recaudo.paymentRequests.create(fields)).toEqual({ id: 1 });
    expect(heard).toHaveLength(4);
    expect(new Set(keysOf(heard)).size).toBe(1);
    expect(keysOf(heard)[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
  });

  test('uses the caller’s key, or else creates one per call', async () => {
    const { recaudo, heard } = await clientOf([json(201, { id: 1 })]);
    await recaudo.paymentRequests.create(fields, { idempotencyKey: 'order 66' });
    await recaudo.paymentRequests.create(fields);
    await recaudo.paymentRequests.create(fields);
    expect(keysOf(heard)[0]).toBe('order 66');
    expect(new Set(keysOf(heard)).size).toBe(3);
  });

  test('repeats a call after a busy or expired key, but not after a reused one', async () => {
    const busy = await clientOf([
      refused(409, 'idempotency_key_in_use'),
      refused(409, 'idempotency_key_expired'),
      json(201, { id: 1 }),
    ]);
    expect(await busy.recaudo.paymentRequests.create(fields)).toEqual({ id: 1 });
    await server?.close();
    const reused = await clientOf([refused(422, 'idempotency_key_reused')]);
    const error = await errorOf(reused.recaudo.paymentRequests.create(fields));
    expect(error).toMatchObject({ status: 422, error_code: 'idempotency_key_reused' });
    expect(reused.heard).toHaveLength(1);
  });

  test('waits at least for Retry-After, and gives up if waiting cannot help', async () => {
    const limited = refused(429, 'too_many_calls', { 'retry-after': '1' });
    const { recaudo, heard } = await clientOf([limited, json(200, account)]);
    const started = performance.now();
    expect(await recaudo.account()).toEqual(account);
    expect(performance.now() - started).toBeGreaterThanOrEqual(999);
    expect(heard).toHaveLength(2);
    await server?.close();
    const never = await clientOf([refused(429, 'adhesion.too_many')]);
    expect(await errorOf(never.recaudo.account())).toMatchObject({ status: 429 });
    expect(never.heard).toHaveLength(1);
  });

  test('does not retry before the time that a proxy asks for, in seconds or as a date', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    for (const [after, least] of [
      ['60', 60],
      [inAMinute, 50],
      ['9'.repeat(400), 60],
    ] as const) {
      const { recaudo, heard } = await clientOf([html(503, 'Busy', { 'retry-after': after })]);
      const error = await errorOf(recaudo.account());
      expect((error as UnexpectedAnswerError).retryAfter).toBeGreaterThanOrEqual(least);
      expect(heard).toHaveLength(1);
      await server?.close();
    }
    const { recaudo } = await clientOf([
      refused(503, 'over_capacity', { 'retry-after': '-5' }),
      json(200, account),
    ]);
    expect(await recaudo.account()).toEqual(account);
  });

  test('repeats a call without a key only if the service reports that it did nothing', async () => {
    const safe = await clientOf([refused(503, 'over_capacity'), json(200, { id: 1 })]);
    expect(await safe.recaudo.webhooks.delete(1)).toEqual({ id: 1 });
    for (const step of [refused(503, 'outcome_unknown'), html(503), hangUp]) {
      await server?.close();
      const { recaudo, heard } = await clientOf([step, json(200, { id: 1 })]);
      expect(await errorOf(recaudo.webhooks.delete(1))).toBeInstanceOf(Error);
      expect(heard).toHaveLength(1);
    }
  });

  test('never repeats a refused call, and repeats others no more often than allowed', async () => {
    for (const [status, code] of [
      [400, 'invalid_fields'],
      [401, 'api_key.unknown'],
      [404, 'payment_request.not_found'],
      [409, 'payment_request.not_payable'],
      [500, 'internal_error'],
    ] as const) {
      const { recaudo, heard } = await clientOf([refused(status, code)]);
      expect(await errorOf(recaudo.paymentRequests.get(1))).toMatchObject({ error_code: code });
      expect(heard).toHaveLength(1);
      await server?.close();
    }
    const { recaudo, heard } = await clientOf([hangUp], { retries: 1 });
    expect(await errorOf(recaudo.account())).toBeInstanceOf(ConnectionError);
    expect(heard).toHaveLength(2);
  });
});

describe('the end of a call', () => {
  test('accepts an infinite deadline', async () => {
    const { recaudo } = await clientOf([json(200, account)]);
    expect(await recaudo.account({ deadline: Number.POSITIVE_INFINITY })).toEqual(account);
  });

  test('fails at its deadline, with the key for a retry', async () => {
    const { recaudo } = await clientOf([silence]);
    const call = recaudo.paymentRequests.create(fields, { deadline: 60, idempotencyKey: 'k1' });
    const error = await errorOf(call);
    expect(error).toBeInstanceOf(DeadlineError);
    expect(error).toMatchObject({ call: { attempts: 1, idempotencyKey: 'k1', method: 'POST' } });
  });

  test('skips a pause that exceeds its deadline, and fails with the attempt’s error', async () => {
    const limited = refused(429, 'too_many_calls', { 'retry-after': '60' });
    const { recaudo, heard } = await clientOf([limited]);
    const error = await errorOf(recaudo.account({ deadline: 5_000 }));
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ retryAfter: 60 });
    expect(heard).toHaveLength(1);
  });

  test('fails with its signal’s reason before, during and between attempts', async () => {
    const reason = new Error('The shop closed.');
    const { recaudo, heard } = await clientOf([silence]);
    expect(await errorOf(recaudo.account({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(heard).toHaveLength(0);
    const during = new AbortController();
    const call = errorOf(recaudo.account({ signal: during.signal }));
    setTimeout(() => during.abort(reason), 30);
    expect(await call).toBe(reason);
    await server?.close();
    const between = new AbortController();
    const pausing = await clientOf([refused(429, 'too_many_calls', { 'retry-after': '20' })]);
    const options = { signal: between.signal };
    const waiting = errorOf(pausing.recaudo.account(options));
    setTimeout(() => between.abort(reason), 60);
    expect(await waiting).toBe(reason);
  });
});

describe('an answer that is not the service’s', () => {
  test('reports a page of a proxy, with any status', async () => {
    for (const status of [200, 403, 404]) {
      const { recaudo } = await clientOf([html(status)]);
      const error = await errorOf(recaudo.account());
      expect(error).toBeInstanceOf(UnexpectedAnswerError);
      expect(error).toMatchObject({ status, contentType: 'text/html' });
      expect(error).toHaveProperty('excerpt', '<html>502 Bad Gateway</html>');
      await server?.close();
    }
  });

  test('reports JSON that is not an error of the service, and a redirect', async () => {
    const { recaudo } = await clientOf([json(400, { error: 'gateway' })]);
    expect(await errorOf(recaudo.account())).toBeInstanceOf(UnexpectedAnswerError);
    await server?.close();
    const moved = await clientOf([json(301, {}, { location: 'https://example.com/' })]);
    const error = await errorOf(moved.recaudo.account());
    expect(error.message).toContain('The address leads to another one');
    expect(moved.heard).toHaveLength(1);
  });

  test('retries a truncated answer if allowed, and reports it otherwise', async () => {
    const { recaudo, heard } = await clientOf([cut('{"id":"A1B2C3D4"}'), json(200, account)]);
    expect(await recaudo.account()).toEqual(account);
    expect(heard).toHaveLength(2);
    await server?.close();
    const broken = await clientOf(
      [
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"id":"A1');
        },
      ],
      { retries: 0 },
    );
    const error = await errorOf(broken.recaudo.account());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toContain('cut');
  });

  test('retries JSON of another shape if allowed, and reports it otherwise', async () => {
    const shapes = [null, [1], 'x', 7].map((body) => json(200, body));
    const { recaudo, heard } = await clientOf([...shapes, json(201, { id: 1 })]);
    expect(await recaudo.paymentRequests.create(fields)).toEqual({ id: 1 });
    expect(new Set(keysOf(heard)).size).toBe(1);
    await server?.close();
    const once = await clientOf([json(200, [1]), json(200, {})]);
    expect(await errorOf(once.recaudo.webhooks.delete(1))).toBeInstanceOf(UnexpectedAnswerError);
    expect(once.heard).toHaveLength(1);
  });

  test('reports a malformed list, text or page, in every call that reads one', async () => {
    const readAll = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items);
    };
    for (const body of [{}, { data: null }, { data: { a: 1 } }, { data: [1] }, null]) {
      const { recaudo } = await clientOf([json(200, body)], { retries: 0 });
      for (const call of [
        () => readAll(recaudo.paymentRequests.list()),
        () => readAll(recaudo.events.list()),
        () => readAll(recaudo.qr.imports.rows('a')),
        () => recaudo.reports.get('collection', '24-11-2026'),
        () => recaudo.paymentRequests.listRefunds(1),
        () => recaudo.webhooks.list(),
        () => recaudo.events.latest(),
        () => recaudo.events.types(),
        () => recaudo.events.deliveries(1),
        () => recaudo.events.resend(1),
        () => recaudo.helpers.installments(1),
        () => recaudo.helpers.nextBusinessDay({ date: '10-12-2030', days: 1 }),
      ]) {
        expect(await errorOf(call())).toBeInstanceOf(UnexpectedAnswerError);
      }
      await server?.close();
    }
    const { recaudo } = await clientOf([json(200, { data: [{}] })]);
    const error = await errorOf(readAll(recaudo.paymentRequests.list({ limit: 1 })));
    expect(error.message).toContain('does not go on after 0');
  });

  test('treats a refusal with malformed fields as one without fields', async () => {
    for (const more of [
      { children: { a: null } },
      { children: { a: { errors: 1 } } },
      { errors: [null] },
      { errors: {} },
    ]) {
      const body = { code: 400, message: 'm', error_code: 'invalid_fields', ...more };
      const { recaudo } = await clientOf([json(400, body)]);
      const error = await errorOf(recaudo.account());
      expect(error).toBeInstanceOf(RefusedError);
      expect(error).toMatchObject({ error_code: 'invalid_fields', fields: [] });
      await server?.close();
    }
    const { recaudo } = await clientOf([json(400, { error_code: 7 })]);
    expect(await errorOf(recaudo.account())).toBeInstanceOf(UnexpectedAnswerError);
  });

  test('throws for a report without a list, or with a malformed row', async () => {
    const texts = ['{}', '[]', '{"data":{"a":{"b":{}}}}', '{"data":[{"request_id":}]}', '"x"'];
    for (const text of texts) {
      const { recaudo } = await clientOf([
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(text);
        },
      ]);
      const read = async () => {
        for await (const _ of recaudo.reports.rows('collection', '24-11-2026'));
      };
      expect(await errorOf(read()), text).toBeInstanceOf(UnexpectedAnswerError);
      await server?.close();
    }
  });

  test('throws for a report that ends within its rows', async () => {
    const row = { request_id: 1, payer_name: 'Ana "la 1" {[' };
    const whole = JSON.stringify({ account_id: 'A1B2C3D4', total: 2, data: [row, row] });
    const { recaudo } = await clientOf([
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(whole.slice(0, -30));
      },
      cut(`${whole}${' '.repeat(whole.length)}x`),
    ]);
    const read = async () => {
      const rows: unknown[] = [];
      for await (const one of recaudo.reports.rows('collection', '24-11-2026')) rows.push(one);
      return rows;
    };
    const error = await errorOf(read());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toContain('ends before its end');
    expect(await errorOf(read())).toBeInstanceOf(ConnectionError);
  });

  test('reports an unreachable service', async () => {
    const { recaudo } = await clientOf([silence], { retries: 0 });
    await server?.close();
    const error = await errorOf(recaudo.account());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the API key', () => {
  test('never shows the key in errors, attempts or views of the client', async () => {
    const attempts: Attempt[] = [];
    const echo: Step = (response, { headers }) =>
      html(400, `<p>${headers.authorization}</p>`)(response, {
        method: '',
        url: '',
        headers,
        body: '',
      });
    const leaky: typeof fetch = async () => {
      throw new Error(`Bearer ${key} was not accepted`);
    };
    const { recaudo } = await clientOf([echo], { onAttempt: (one) => attempts.push(one) });
    const origin = server?.origin ?? '';
    const errors = [
      await errorOf(recaudo.account()),
      await errorOf(new Recaudo({ key, baseUrl: origin, fetch: leaky, retries: 0 }).account()),
    ];
    expect(attempts).toHaveLength(1);
    for (const one of [recaudo, ...errors, attempts]) {
      expect(inspect(one, { depth: null, showHidden: true })).not.toContain('SECRET');
      expect(JSON.stringify(one)).not.toContain('SECRET');
    }
    for (const error of errors) expect(error.stack).not.toContain('SECRET');
  });

  test.each([
    ['with spaces', ` ${key}`],
    ['with a line break', `${key}\n`],
    ['that is empty', ''],
    ['with a letter outside ASCII', 'clavé'],
  ])('refuses a key %s before any call, without showing it', (_what, wrong) => {
    const make = () => new Recaudo({ key: wrong, baseUrl: 'https://pay.example.com' });
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(/SECRET/);
  });

  test.each([
    'pay.example.com',
    'ftp://pay.example.com',
    'https://a:b@pay.example.com',
    'https://:b@pay.example.com',
    'https://pay.example.com/#pagos',
    '',
  ])('refuses to send the key to an address like %j', (baseUrl) => {
    expect(() => new Recaudo({ key, baseUrl })).toThrow(ConfigurationError);
  });
});

test('ignores errors of a listener', async () => {
  const attempts: Attempt[] = [];
  for (const fail of [
    () => {
      throw new Error('x');
    },
    () => Promise.reject(new Error('y')),
  ]) {
    const { recaudo } = await clientOf([html(502), json(200, account)], {
      onAttempt: (one) => {
        attempts.push(one);
        return fail();
      },
    });
    expect(await recaudo.account()).toEqual(account);
    await server?.close();
  }
  expect(attempts.map(({ number, status }) => [number, status])).toEqual([
    [1, 502],
    [2, 200],
    [1, 502],
    [2, 200],
  ]);
});

test('refuses ids that would address another path', async () => {
  const { recaudo, heard } = await clientOf([json(200, {})]);
  for (const id of ['', '.', '..']) {
    expect(await errorOf(recaudo.qr.get(id))).toBeInstanceOf(ConfigurationError);
    expect(await errorOf(recaudo.qr.refund(id))).toBeInstanceOf(ConfigurationError);
    expect(await errorOf(recaudo.reports.get('refund', id))).toBeInstanceOf(ConfigurationError);
  }
  expect(heard).toEqual([]);
  await recaudo.qr.get('../account?a=ñ');
  expect(heard.map(({ url }) => url)).toEqual(['/status/..%2Faccount%3Fa%3D%C3%B1']);
});

test.each(['', 'order €', 'order\n66', 'x'.repeat(256)])(
  'refuses the Idempotency-Key %j before any call',
  async (idempotencyKey) => {
    const { recaudo, heard } = await clientOf([json(201, { id: 1 })]);
    const call = recaudo.paymentRequests.create(fields, { idempotencyKey });
    expect(await errorOf(call)).toBeInstanceOf(ConfigurationError);
    expect(heard).toEqual([]);
  },
);

test('throws if a list repeats the same page', async () => {
  const { recaudo, heard } = await clientOf([json(200, { data: [{ id: 1 }, { id: 2 }] })]);
  const ids: number[] = [];
  const read = async () => {
    for await (const { id } of recaudo.paymentRequests.list({ limit: 2 })) ids.push(id);
  };
  expect((await errorOf(read())).message).toContain('does not go on after 2');
  expect(ids).toEqual([1, 2]);
  expect(heard).toHaveLength(2);
});

test('requests no further page after a loop over a list is left', async () => {
  const page = (from: number) =>
    json(200, { items_per_page: 2, data: [{ id: from }, { id: from + 1 }] });
  const { recaudo, heard } = await clientOf([page(1), page(3), json(200, { data: [] })]);
  for await (const { id } of recaudo.paymentRequests.list({ state: 'paid', limit: 2 })) {
    if (id === 3) break;
  }
  expect(heard.map(({ url }) => url)).toEqual([
    '/payment-request?state=paid&limit=2&after=0',
    '/payment-request?state=paid&limit=2&after=2',
  ]);
});

test('closes the connection of an abandoned report', async () => {
  const closed = Promise.withResolvers<void>();
  const { recaudo } = await clientOf([
    (response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"account_id":"A1B2C3D4","data":[{"request_id":1},{"request_id":2},');
    },
  ]);
  for await (const { request_id } of recaudo.reports.rows('collection', '24-11-2026')) {
    expect(request_id).toBe(1);
    break;
  }
  await closed.promise;
});
