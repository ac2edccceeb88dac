import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutReferences } from '../../tools/references.ts';
import { inDays } from '../harness/builders/clock.ts';
import { batchOf, callerOf, itemOf } from '../harness/builders/qrs.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is what these tests check
type Json = any;

let service: TestService;
let qr: ReturnType<typeof callerOf>;
let document: Json;
beforeAll(async () => {
  service = await startService({ ROLES: 'qr' });
  qr = callerOf(service);
  const { body } = await service.call('GET', '/openapi.json', { key: null });
  document = withoutReferences(body);
});
afterAll(() => service.stop());

const expectFits = (schema: Json, value: unknown): void => {
  expect([...Compile(schema).Errors(value)]).toEqual([]);
};

const operationOf = (method: string, path: string): Json => document.paths[path][method];

const bodyFits = (method: string, path: string, body: unknown): void =>
  expectFits(operationOf(method, path).requestBody.content['application/json'].schema, body);

const answerFits = (method: string, path: string, answer: Answer, status: number): void => {
  expect(answer.status, answer.text).toBe(status);
  const { content } = operationOf(method, path).responses[String(status)];
  expectFits(content['application/json'].schema, answer.body);
};

test('documents what the QR service accepts and answers', async () => {
  const item = itemOf(service, 'true', {
    multiple_payment: 'true',
    first_total: '20.50',
    second_due_date: inDays(service, 20),
    second_total: 30,
    qr_name: 'Caja',
    qr_type: 'dynamic',
    postal_code: '5000',
    payer_email: 'ana@example.com',
  });
  bodyFits('post', '/save-qr-data', batchOf([item]));
  answerFits('post', '/save-qr-data', await qr.save([item]), 201);
  const { id: _id, ...flat } = item;
  for (const body of [batchOf([item]), flat]) bodyFits('post', '/edit-qr/{qr_id}', body);
  answerFits('post', '/edit-qr/{qr_id}', await qr.edit('true', item), 200);
  answerFits('post', '/batch-edit-qr', await qr.editMany([item]), 200);
  answerFits('post', '/pay-qr/{qr_id}', await qr.pay('true'), 200);
  answerFits('get', '/status/{qr_id}', await qr.status('true'), 200);
  bodyFits('delete', '/batch-delete-qr', batchOf(['true']));
  answerFits('delete', '/delete-qr/{qr_id}', await qr.remove('true'), 200);
  answerFits('get', '/status/{qr_id}', await qr.status('true'), 200);
});

test('uses QrError for its errors', async () => {
  const { QrError } = document.components.schemas;
  const refused = [
    await qr.save([{}, itemOf(service, 'x', { city: '' })]),
    await qr.status('nobody'),
    await qr.save([]),
  ];
  for (const { status, body } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expectFits(QrError, body);
  }
});

test('refuses bodies that the document does not allow', async () => {
  const schema = operationOf('post', '/save-qr-data').requestBody.content['application/json']
    .schema;
  const check = Compile(schema);
  for (const fields of [{ city: 'x'.repeat(16) }, { first_total: 9 }, { id: 'a b' }]) {
    const body = batchOf([itemOf(service, 'y', fields)]);
    expect(check.Check(body)).toBe(false);
    expect((await qr.save(body.data)).status).toBe(400);
  }
});
