import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';
import { freePort } from '../src/platform/http/free-port.ts';
import { paymentRequestBody } from './harness/builders/payment-requests.ts';
import { expectError } from './harness/errors.ts';
import { startService, type TestService } from './harness/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is what these tests check
type Json = any;

let service: TestService;
let document: Json;
beforeAll(async () => {
  service = await startService();
  const answer = await service.call('GET', '/openapi.json', { key: null });
  expect(answer.status).toBe(200);
  document = answer.body;
});
afterAll(() => service.stop());

interface Operation {
  name: string;
  method: string;
  path: string;
  operation: Json;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const operations = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation,
    })),
  );

/** Yields every object below a value, with its path. */
function* objectsIn(value: Json, place = '#'): Generator<{ place: string; value: Json }> {
  if (typeof value !== 'object' || value === null) return;
  yield { place, value };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${name}`);
}

/** Inlines a schema's references for a validator. Recursive ones become plain objects. */
const resolved = (schema: Json, inside: string[] = []): Json => {
  if (Array.isArray(schema)) return schema.map((one) => resolved(one, inside));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema;
  if (typeof $ref === 'string') {
    if (inside.includes($ref)) return { type: 'object' };
    return { ...resolved(targetOf($ref), [...inside, $ref]), ...own };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, resolved(inner, inside)]),
  );
};

/** Returns an operation's response, which may be a reference to a shared one. */
const answerOf = (operation: Json, status: string): Json => {
  const answer = operation.responses[status];
  return answer?.$ref ? targetOf(answer.$ref) : answer;
};

const targetOf = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);

const expectFits = (schema: Json, value: unknown): void => {
  expect([...Compile(resolved(schema)).Errors(value)]).toEqual([]);
};

const answerSchema = (path: string, method: string, status: string): Json =>
  document.paths[path][method].responses[status].content['application/json'].schema;

describe('the document has the structure of OpenAPI 3.1', () => {
  test('has a version, info and servers, and no members that 3.1 does not define', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info.title).not.toBe('');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document.servers).toEqual([{ url: service.origin }]);
    const allowed = ['openapi', 'info', 'jsonSchemaDialect', 'servers', 'paths', 'webhooks'];
    allowed.push('components', 'security', 'tags', 'externalDocs');
    expect(Object.keys(document).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test('gives every operation a summary, a tag and answers with descriptions', () => {
    for (const { name, method, operation } of operations()) {
      expect(methods, name).toContain(method);
      expect(operation.summary, name).toMatch(/^[A-Z]/);
      expect(operation.tags, name).toHaveLength(1);
      expect(Object.keys(operation.responses).length, name).toBeGreaterThan(0);
      for (const status of Object.keys(operation.responses)) {
        expect(status, name).toMatch(/^([1-5]\d\d|[1-5]XX|default)$/);
        expect(answerOf(operation, status).description, `${name} ${status}`).toMatch(/^[A-Z]/);
      }
    }
  });

  test('gives every call a unique operation id for generated clients', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['createPaymentRequest', 'listPaymentRequests', 'cancelAdhesion']),
    );
  });

  test('names the schemas of all JSON bodies, answers and list items', () => {
    const isNamed = (schema: Json): boolean => /^#\/components\/schemas\/\w+$/.test(schema.$ref);
    for (const { name, operation } of operations()) {
      const places = [operation.requestBody, ...Object.values<Json>(operation.responses)];
      for (const { content } of places.filter((place) => place?.content?.['application/json'])) {
        const { schema } = content['application/json'];
        // The response of `/resolve` follows its standard.
        if (!name.includes('/resolve')) expect(isNamed(schema), name).toBe(true);
      }
    }
    const { schemas } = document.components;
    const item = { $ref: '#/components/schemas/PaymentRequest' };
    expect(schemas.PaymentRequestList.properties.data.items).toEqual(item);
    expect(schemas.PaymentRequest.properties.state.enum).toEqual([
      ...['pending', 'paid', 'expired', 'reverted', 'refunded'],
    ]);
    expect(Object.keys(schemas).length).toBeGreaterThan(60);
  });

  test('declares every parameter of a path as required, with a schema', () => {
    for (const { name, path, operation } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const declared = (operation.parameters ?? []).filter((one: Json) => one.in === 'path');
      expect(
        declared.map((one: Json) => one.name),
        name,
      ).toEqual(inPath);
      for (const one of operation.parameters ?? []) {
        expect(one.schema, `${name} ${one.name}`).toEqual(expect.any(Object));
        expect(['path', 'query', 'header', 'cookie']).toContain(one.in);
        if (one.in === 'path') expect(one.required).toBe(true);
      }
    }
  });

  test('has only JSON bodies, and only for methods that allow one', () => {
    for (const { name, method, operation } of operations()) {
      if (!operation.requestBody) continue;
      expect(['post', 'put', 'delete', 'patch'], name).toContain(method);
      expect(Object.keys(operation.requestBody.content), name).toEqual(['application/json']);
    }
  });

  test('requires a body unless the call is valid without one', () => {
    const free = operations().filter(({ operation }) => operation.requestBody?.required === false);
    expect(free.map(({ name }) => name).toSorted()).toEqual([
      'DELETE /delete-qr/{qr_id}',
      'POST /event/{id}/resend',
      'POST /pay-qr-static/{qr_id}',
      'POST /sandbox/chargeback/{request_id}',
      'POST /sandbox/pay/{request_id}',
      'POST /sandbox/refund/{request_id}',
      'POST /webhook/{id}/rotate-secret',
    ]);
  });

  test('resolves every reference', () => {
    const refs = [...objectsIn(document)].filter(({ value }) => typeof value.$ref === 'string');
    expect(refs.length).toBeGreaterThan(0);
    for (const { place, value } of refs) {
      expect(value.$ref, place).toMatch(/^#\//);
      expect(targetOf(value.$ref), place).toEqual(expect.any(Object));
    }
  });

  test('uses JSON Schema draft 2020-12 in every schema, without “nullable” of OpenAPI 3.0', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
    const schemas = [...objectsIn(document)].filter(({ place }) => place.endsWith('/schema'));
    expect(schemas.length).toBeGreaterThan(20);
    for (const { place, value } of schemas) {
      expect(() => Compile(resolved(value)), place).not.toThrow();
      for (const { place: inner, value: one } of objectsIn(value, place)) {
        expect(one.nullable, inner).toBeUndefined();
        if (typeof one.type === 'string') expect(types, inner).toContain(one.type);
        if (Array.isArray(one.required)) {
          expect(Object.keys(one.properties), inner).toEqual(expect.arrayContaining(one.required));
        }
      }
    }
  });
});

/** Validates a document against the OpenAPI standard's own schema. */
const faultsIn = async (of: Json): Promise<unknown> =>
  (await new Validator().validate(structuredClone(of))).errors ?? [];

/** Returns the media of every body and answer of an operation. */
const mediaOf = (operation: Json): { place: string; type: string; media: Json }[] =>
  [
    ['body', operation.requestBody],
    ...Object.keys(operation.responses).map((status) => [status, answerOf(operation, status)]),
  ].flatMap(([place, { content = {} } = {} as Json]) =>
    Object.entries<Json>(content).map(([type, media]) => ({ place, type, media })),
  );

const calls = (): [name: string, operation: Json][] => [
  ...operations().map(({ name, operation }): [string, Json] => [name, operation]),
  ...Object.entries<Json>(document.webhooks).map(([name, { post }]): [string, Json] => [
    name,
    post,
  ]),
];

describe('the document explains itself', () => {
  test('describes every member, parameter and call', () => {
    const silent = [...objectsIn({ paths: document.paths, ...document.components })].flatMap(
      ({ place, value }) =>
        /\/examples?(\/|$)/.test(place)
          ? []
          : Object.entries<Json>(value.properties ?? {})
              .filter(([, member]) => !member.description)
              .map(([name]) => `${place} ${name}`),
    );
    expect(silent).toEqual([]);
    for (const [name, operation] of calls()) {
      expect(operation.description, name).toMatch(/[.]$/);
      for (const one of operation.parameters ?? []) {
        expect(one.description, `${name} ${one.name}`).toMatch(/\w/);
      }
    }
  });

  test('describes members of the same name differently where their meaning differs', () => {
    const transaction = document.paths['/new-transaction'].put.parameters;
    const data = transaction.find(({ name }: Json) => name === 'data');
    expect(data.description).toContain('qr_string');
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      for (const { value } of objectsIn(schema)) {
        const { total_count, status, state } = value.properties ?? {};
        if (/index counts/.test(total_count?.description)) expect(name).toMatch(/List$/);
        if (/of the QR$/.test(status?.description)) expect(status.enum, name).toContain('Paid');
        if (/states\.md/.test(state?.description)) expect(name).not.toMatch(/Batch|Delivery/);
      }
    }
  });

  test('shows an example for every body and answer except files, and it fits the schema', () => {
    const file = ['image/png', 'image/svg+xml', 'application/pdf'];
    let shown = 0;
    for (const [name, operation] of calls()) {
      for (const { place, type, media } of mediaOf(operation)) {
        if (file.includes(type)) continue;
        expect(media, `${name} ${place} ${type}`).toHaveProperty('example');
        const faults = [...Compile(resolved(media.schema)).Errors(media.example)];
        expect(faults, `${name} ${place} ${type}`).toEqual([]);
        shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(500);
  });

  test('declares every tag, every answer’s headers and every webhook’s body', () => {
    const used = new Set(calls().flatMap(([, { tags }]) => tags));
    const declared = document.tags.map(({ name }: Json) => name);
    expect(new Set(declared)).toEqual(used);
    for (const { description } of document.tags) expect(description).toMatch(/[.]$/);
    for (const { name, operation } of operations()) {
      for (const status of Object.keys(operation.responses)) {
        const { headers } = answerOf(operation, status);
        expect(headers, `${name} ${status}`).toHaveProperty(['Request-Id']);
        if (status === '429') expect(headers).toHaveProperty(['Retry-After']);
      }
    }
    const created = answerOf(document.paths['/payment-request'].post, '201');
    expect(Object.keys(created.headers)).toContain('Idempotency-Replayed');
    for (const [name, { post }] of Object.entries<Json>(document.webhooks)) {
      expect(post.operationId, name).toMatch(/^on[A-Z]\w+$/);
      const { $ref } = post.requestBody.content['application/json'].schema;
      expect($ref, name).toBe(`#/components/schemas/${post.operationId.slice(2)}Event`);
    }
  });

  test('describes errors as a tree of named fields', () => {
    const { ApiError, ApiErrorField } = document.components.schemas;
    const field = { $ref: '#/components/schemas/ApiErrorField' };
    expect(ApiError.properties.children.additionalProperties).toEqual(field);
    expect(ApiErrorField.properties.children.additionalProperties).toEqual(field);
  });
});

describe('validation against the standard’s schema', () => {
  test('accepts the served document', async () => {
    expect(await faultsIn(document)).toEqual([]);
  });

  test.each(['openapi.json', 'connectors-openapi.json'])(
    'accepts docs/reference/%s',
    async (name) => {
      const written = await readFile(path.join(packageRoot(), 'docs/reference', name), 'utf8');
      expect(await faultsIn(JSON.parse(written))).toEqual([]);
    },
  );

  test('reports a call without answers, and a parameter in an unknown place', async () => {
    const bare = structuredClone(document);
    bare.paths['/account'].get.responses = {};
    expect(await faultsIn(bare)).not.toEqual([]);
    const lost = structuredClone(document);
    lost.paths['/payment-request/{id}'].get.parameters[0].in = 'nowhere';
    expect(await faultsIn(lost)).not.toEqual([]);
  });
});

describe('the document covers every call', () => {
  test('lists every call with the permission that it needs', () => {
    const needed = Object.fromEntries(
      operations().map(({ name, operation }) => [name, operation['x-permission'] ?? null]),
    );
    expect(needed).toMatchObject({
      'POST /payment-request': 'payment_requests:write',
      'GET /payment-request': 'payment_requests:read',
      'GET /payment-request/{id}': 'payment_requests:read',
      'GET /helper/channel-installments/{amount}': 'helpers:read',
      'POST /validator/next-business-day': 'helpers:read',
      'GET /account': 'account:read',
      'GET /account/balances': 'account:read',
      'POST /sandbox/pay/{request_id}': 'sandbox',
      'POST /sandbox/chargeback/{request_id}': 'sandbox',
      'POST /sandbox/refund/{request_id}': 'sandbox',
      'POST /sandbox/clock': 'sandbox',
      'GET /sandbox/clock': 'sandbox',
      'POST /save-qr-data': 'qr:write',
      'GET /status/{qr_id}': 'qr:read',
      'POST /edit-qr/{qr_id}': 'qr:write',
      'POST /batch-edit-qr': 'qr:write',
      'DELETE /delete-qr/{qr_id}': 'qr:write',
      'DELETE /batch-delete-qr': 'qr:write',
      'POST /pay-qr/{qr_id}': 'sandbox',
      'GET /barcode/{file}': null,
      'GET /coupon/{file}': null,
    });
    expect(document.components.securitySchemes.apiKey).toEqual({ type: 'http', scheme: 'bearer' });
    for (const { name, operation } of operations()) {
      const isPublic = operation['x-permission'] === undefined;
      expect(operation.security, name).toEqual(isPublic ? [] : [{ apiKey: [] }]);
    }
  });

  test('documents the refusals of every call that needs a key, with its service’s error schema', () => {
    const ofQr =
      /\/(save-qr|refund-qr|status|edit-qr|delete-qr|batch-|bucket-|pay-qr|create-qr|new-trans)/;
    for (const { name, operation } of operations()) {
      if (operation.security.length === 0) continue;
      const shape = ofQr.test(name) ? 'QrError' : 'ApiError';
      for (const status of ['400', '401', '403', '429', '500', '503']) {
        const schema = answerOf(operation, status)?.content['application/json'].schema;
        expect(schema, `${name} ${status}`).toEqual({ $ref: `#/components/schemas/${shape}` });
      }
      if (name.includes('{') || name.includes('new-transaction')) {
        expect(operation.responses, name).toHaveProperty('404');
      }
      if (operation.responses['201'] && operation.requestBody) {
        const creating = ['409', '413', '415', '422'];
        expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(creating));
        const header = operation.parameters.find((one: Json) => one.in === 'header');
        expect(header, name).toMatchObject({ name: 'Idempotency-Key' });
      }
    }
  });

  test('documents the types and errors of files behind public links', () => {
    const files = operations().filter(({ path: at }) => at.endsWith('/{file}'));
    expect(files.map(({ path: at }) => at)).toEqual(
      expect.arrayContaining(['/coupon/{file}', '/barcode/{file}', '/qr-image/{file}']),
    );
    for (const { name, operation } of files) {
      const shape = name.includes('qr-image') ? 'QrError' : 'ApiError';
      for (const status of ['404', '429', '500', '503']) {
        const schema = answerOf(operation, status)?.content['application/json'].schema;
        expect(schema, `${name} ${status}`).toEqual({ $ref: `#/components/schemas/${shape}` });
      }
      const types = Object.keys(operation.responses['200'].content);
      expect(types).toEqual(
        name.includes('coupon') ? ['application/pdf'] : ['image/png', 'image/svg+xml'],
      );
    }
  });
});

describe('the document matches the service', () => {
  test('matches the service’s bodies and answers', async () => {
    const body = paymentRequestBody(service, {
      second_due_date: '31-12-2098',
      first_due_date: '01-12-2098',
      second_total: '1500.10',
      payer_email: 'ana@example.com',
      back_url_success: 'https://example.com/ok',
      excluded_channels: ['DEBIN', 'qr'],
      excluded_card_brands: ['43', 41],
      excluded_installments: [3],
      metadata: { a: [1] },
      items: [{ quantity: 2, description: 'Libro', amount: '700.00' }],
    });
    const { requestBody } = document.paths['/payment-request'].post;
    expectFits(requestBody.content['application/json'].schema, body);
    const made = await service.call('POST', '/payment-request', { body });
    expect(made.status, made.text).toBe(201);
    expectFits(answerSchema('/payment-request', 'post', '201'), made.body);
    const { id } = made.body;
    const paid = await service.call('POST', `/sandbox/pay/${id}`, {
      body: { channel: 'credit_card' },
    });
    expect(paid.status, paid.text).toBe(200);
    const gets: [string, string][] = [
      ['/payment-request/{id}', `/payment-request/${id}?detail_retentions=true`],
      ['/payment-request', '/payment-request'],
      ['/payment-request', '/payment-request?after=0'],
      ['/helper/channel-installments/{amount}', '/helper/channel-installments/100'],
      ['/account', '/account'],
      ['/account/balances', '/account/balances'],
      ['/sandbox/clock', '/sandbox/clock'],
    ];
    for (const [path, address] of gets) {
      const answer = await service.call('GET', address);
      expect(answer.status).toBe(200);
      expectFits(answerSchema(path, 'get', '200'), answer.body);
    }
    const next = await service.call('POST', '/validator/next-business-day', {
      body: { next_business_day: { date: '24-11-2026', days: 1 } },
    });
    expectFits(answerSchema('/validator/next-business-day', 'post', '200'), next.body);
  });

  test('matches the service’s errors', async () => {
    const faulty = paymentRequestBody(service, { items: [{}], first_total: 0 });
    const answers = [
      await service.call('POST', '/payment-request', { body: faulty }),
      await service.call('GET', '/payment-request/999999999999999'),
      await service.call('GET', '/account', { key: null }),
    ];
    [400, 404, 401].forEach((status, index) => {
      const answer = answers[index];
      if (!answer) throw new Error('an answer is missing');
      expectError(answer, status);
      expectFits({ $ref: '#/components/schemas/ApiError' }, answer.body);
    });
  });

  test('matches the required fields of a payment request', () => {
    const schema = resolved(
      document.paths['/payment-request'].post.requestBody.content['application/json'].schema,
    );
    expect(schema.required).toEqual(['payment_request']);
    expect(schema.properties.payment_request.required).toEqual([
      'description',
      'first_due_date',
      'first_total',
      'payer_name',
    ]);
  });
});

test('serves the API reference as HTML at /docs', async () => {
  const answer = await service.call('GET', '/docs/', { key: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/html');
});

test('omits the sandbox’s calls, and only those, from production’s document', async () => {
  const port = await freePort('127.0.0.1');
  const production = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pay.example.com',
    BARCODE_CONVENTION: '5150009346',
    DOCS: 'true',
    PORT: String(port),
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    const body: Json = await answer.json();
    expect(await faultsIn(body)).toEqual([]);
    const ofSandbox = Object.keys(document.paths).filter(
      (path) => !Object.hasOwn(body.paths, path),
    );
    expect(ofSandbox.toSorted()).toEqual(expect.arrayContaining(['/sandbox/clock']));
    expect(ofSandbox.filter((path) => !/^\/(sandbox|pay-qr|pay-qr-static)\//.test(path))).toEqual(
      [],
    );
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/sandbox'))).toEqual([]);
    expect(Object.keys(body.paths)).toContain('/payment-request');
  } finally {
    await production.stop();
  }
});
