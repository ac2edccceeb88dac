import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { breakingChanges, type OpenApi } from '../../tools/breaking-changes.ts';

const root = packageRoot();
const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
const present = JSON.parse(await read('docs/reference/openapi.json')) as OpenApi;

// biome-ignore lint/suspicious/noExplicitAny: parts of a document are taken apart
type Json = any;

/** Lists the breaking changes of an edit to the document. */
function brokenBy(edit: (document: Json) => void): string[] {
  const edited = structuredClone(present);
  edit(edited);
  return breakingChanges(present, edited);
}

const formOf = (document: Json): Json =>
  document.components.schemas.CreatePaymentRequestBody.properties.payment_request;

test('accepts additions', () => {
  const broken = brokenBy(({ paths, components: { schemas }, ...rest }) => {
    paths['/new'] = { get: { responses: {} } };
    formOf({ components: { schemas } }).properties.note = { type: 'string' };
    formOf({ components: { schemas } }).properties.description.maxLength = 900;
    schemas.PaymentRequest.properties.note = { type: 'string' };
    schemas.PaymentRequest.properties.state.enum.push('held');
    rest.webhooks['payment_request.held'] = { post: { responses: {} } };
  });
  expect(broken).toEqual([]);
});

test.each<[string, (document: Json) => void, string]>([
  ['a call', ({ paths }) => delete paths['/account'], 'GET /account is gone'],
  [
    'a filter',
    ({ paths }) => paths['/payment-request'].get.parameters.shift(),
    'GET /payment-request query page is gone',
  ],
  [
    'a member of an answer',
    ({ components }) => delete components.schemas.AccountBalances.properties.available_balance,
    'GET /account/balances 200.available_balance is gone',
  ],
  [
    'the presence of a member',
    ({ components }) => components.schemas.AccountBalances.required.pop(),
    'GET /account/balances 200.unavailable_balance may be absent',
  ],
  [
    'a new member that must be sent',
    (document) => formOf(document).required.push('payer_email'),
    'POST /payment-request body.payment_request.payer_email is required',
  ],
  [
    'a bound',
    (document) => {
      formOf(document).properties.description.maxLength = 100;
    },
    'POST /payment-request body.payment_request.description: maxLength',
  ],
  [
    'a type',
    ({ components }) => {
      components.schemas.AccountBalances.properties.available_balance.type = 'string';
    },
    'GET /account/balances 200.available_balance was number, is string',
  ],
  [
    'a form of an amount',
    (document) => formOf(document).properties.first_total.anyOf.pop(),
    'POST /payment-request body.payment_request.first_total has other variants',
  ],
  [
    'a member of an event',
    ({ components }) =>
      delete components.schemas.QrPaidEvent.properties.payload.properties.request_id,
    'qr.paid.payload.request_id is gone',
  ],
])('finds a breaking change to %s', (_what, edit, told) => {
  expect(brokenBy(edit)).toContain(told);
});

test('breaks nothing in the last release’s API except the listed changes', async () => {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*').stdout.trim();
  // Before the first release there is no promise to keep.
  if (tag === '') return;
  const released = JSON.parse(git('show', `${tag}:docs/reference/openapi.json`).stdout) as OpenApi;
  const changes = (await read('CHANGELOG.md')).split(/^## /m)[1] ?? '';
  const silent = breakingChanges(released, present).filter((one) => !changes.includes(one));
  expect(silent).toEqual([]);
});
