import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRequestBody, stored } from '../../harness/builders/payment-requests.ts';
import { expectError } from '../../harness/errors.ts';
import { startService, type TestService, testKey } from '../../harness/service.ts';
import { rawCall } from './raw.ts';

let service: TestService;
let valid: Buffer;
beforeAll(async () => {
  service = await startService();
  valid = Buffer.from(JSON.stringify(paymentRequestBody(service)));
});
afterAll(() => service.stop());

const authorization = `Bearer ${testKey}`;

const post = (body: Buffer | Buffer[], headers: Record<string, string> = {}, path?: string) =>
  rawCall(service.origin, {
    method: 'POST',
    path: path ?? '/payment-request',
    headers: { authorization, ...headers },
    body,
  });

describe('accepts a valid body', () => {
  test('accepts a body without Content-Type', async () => {
    expect((await post(valid)).status).toBe(201);
  });
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; Charset="utf-8"',
    'application/json; charset=utf8',
  ])('accepts a body as %s', async (type) => {
    expect((await post(valid, { 'content-type': type })).status).toBe(201);
  });
  test('accepts a body at a path with a trailing slash', async () => {
    expect((await post(valid, {}, '/payment-request/')).status).toBe(201);
  });
  test('accepts a body with a byte order mark, and in chunks that split characters', async () => {
    expect((await post(Buffer.concat([Buffer.from('\ufeff'), valid]))).status).toBe(201);
    const at = valid.indexOf(Buffer.from('é')) + 1;
    const answer = await post([valid.subarray(0, at), valid.subarray(at)]);
    expect(answer.body.payer_name).toBe('Ana Pérez');
  });
  test('accepts a body of up to 1 MiB', async () => {
    const padding = Buffer.alloc(1024 * 1024 - valid.length, ' ');
    expect((await post(Buffer.concat([valid, padding]))).status).toBe(201);
  });
});

test('accepts GET with a Content-Type and no body', async () => {
  for (const type of ['application/json', 'text/plain']) {
    const headers = { authorization, 'content-type': type };
    const answer = await rawCall(service.origin, { method: 'GET', path: '/account', headers });
    expect(answer.status).toBe(200);
  }
});

describe('refuses and stores nothing:', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await stored(service.sql);
  });
  afterAll(async () => {
    expect(await stored(service.sql)).toEqual(before);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('refuses %s with 415', async (type) => {
    const answer = await post(valid, { 'content-type': type });
    expectError(answer, 415);
    expect(answer.body.message).toMatch(/JSON|UTF-8/);
  });

  test.each([
    ['cut off', (valid) => valid.subarray(0, -1)],
    ['with a comma too many', () => Buffer.from('{"payment_request":{},}')],
    ['single quotes', () => Buffer.from("{'payment_request':{}}")],
    ['NaN', () => Buffer.from('{"payment_request":{"first_total":NaN}}')],
    ['a leading zero', () => Buffer.from('{"payment_request":{"first_total":010}}')],
    ['a hexadecimal number', () => Buffer.from('{"payment_request":{"first_total":0x10}}')],
    ['a raw line break in a text', () => Buffer.from('{"payment_request":{"a":"\n"}}')],
    ['NUL after the document', (valid) => Buffer.concat([valid, Buffer.from([0])])],
    ['two documents', (valid) => Buffer.concat([valid, valid])],
    ['UTF-8 cut inside a letter', (valid) => Buffer.concat([valid, Buffer.from([0xc3])])],
    ['Latin-1', (valid) => Buffer.from(valid.toString('utf8'), 'latin1')],
    ['UTF-16', (valid) => Buffer.from(valid.toString('utf8'), 'utf16le')],
    ['an overlong encoding', () => Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['an encoded surrogate', () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['form fields', () => Buffer.from('payment_request=1')],
    ['only spaces', () => Buffer.from('   ')],
  ] as [string, (valid: Buffer) => Buffer][])(
    'answers 400 to invalid JSON: %s',
    async (_what, make) => {
      const answer = await post(make(valid), { 'content-type': 'application/json' });
      expectError(answer, 400);
      expect(answer.body.message).toMatch(
        /^The body is not valid (?:JSON: (?:unexpected "|it ends too early).* at byte \d+|UTF-8)\.$/,
      );
    },
  );

  test('refuses a missing body with 400', async () => {
    const headers = { authorization };
    const call = { method: 'POST', path: '/payment-request' };
    expectError(await rawCall(service.origin, { ...call, headers }), 400);
    const typed = { ...headers, 'content-type': 'application/json' };
    expectError(await rawCall(service.origin, { ...call, headers: typed }), 400);
  });

  test('refuses more than 1 MiB with 413, with or without a length', async () => {
    const large = Buffer.concat([valid, Buffer.alloc(1024 * 1024 + 1 - valid.length, ' ')]);
    expectError(await post(large), 413);
    expectError(await post([large.subarray(0, 700_000), large.subarray(700_000)]), 413);
  });

  test('answers 401 to a call with an unknown key or none, before it parses the body', async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, '[');
    expectError(await post(large, { authorization: 'Bearer nobody-knows-this' }), 401);
    const typed = { authorization: '', 'content-type': 'text/plain' };
    expectError(await post(valid, typed), 401);
  });
});

describe('unknown addresses', () => {
  test.each([
    ['GET', '/nothing/here'],
    ['GET', '/payment-requests'],
    ['GET', '/PAYMENT-REQUEST'],
    ['GET', '/payment-request/1/2'],
    ['GET', '/metrics'],
    ['GET', `/payment-request/${'9'.repeat(300)}`],
    ['GET', '/../etc/passwd'],
  ])('answers %s %s with 404', async (method, path) => {
    const answer = await rawCall(service.origin, { method, path, headers: { authorization } });
    expectError(answer, 404);
  });
  test('answers a malformed percent encoding with 400', async () => {
    for (const path of ['/%zz', '/payment-request/%ff', '/payment-request/%']) {
      const headers = { authorization };
      expectError(await rawCall(service.origin, { method: 'GET', path, headers }), 400);
    }
  });
});

describe('answers a malformed HTTP request in the usual error format', () => {
  const talk = (text: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const { hostname, port } = new URL(service.origin);
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => {
      heard += data.toString();
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
    return promise;
  };
  test.each([
    ['HELLO\r\n\r\n', 400, 'invalid_http'],
    ['GET /status HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400, 'invalid_http'],
    [
      `GET /status HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['POST /payment-request HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400, 'invalid_http'],
  ])(
    'answers the malformed request %.30j in the error format',
    async (text, status, error_code) => {
      const heard = await talk(text);
      expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(heard).toMatch(/\r\nRequest-Id: [0-9a-f-]{36}\r\n/);
      const body = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4));
      const message = expect.stringMatching(/^[A-Z].*\.$/);
      expect(body).toEqual({ code: status, message, errors: [message], error_code });
    },
  );
});
