import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostTries } from '../../../src/platform/imports/jobs.ts';
import {
  documentOf,
  ended,
  imported,
  item,
  items,
  open,
  put,
  resultOf,
} from '../../harness/builders/imports.ts';
import { full } from '../../harness/builders/qrs.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const storedLike = async (pattern: string): Promise<string[]> => {
  const rows = await service.sql<{ code: string }[]>`
    select code from requests where account_id = ${testAccount} and code like ${full(pattern)}
    order by id`;
  return rows.map(({ code }) => code);
};

test('creates QRs from a document, lists each, and records the start and end of the import', async () => {
  const data = items(2_345, 'all');
  const { id, url, ...rest } = (await service.call('GET', '/bucket-url')).body;
  expect(rest).toEqual({
    code: 'H003',
    message: 'Ok',
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/),
    webhook_secret: expect.any(String),
  });
  expect((await resultOf(service, id)).body).toEqual({
    id,
    state: 'waiting_upload',
    processed: 0,
    created: 0,
    rejected: 0,
    page: 1,
    pages: 1,
    data: [],
  });
  await put(url, documentOf(data));
  const first = await ended(service, id);
  const { data: firstRows, ...head } = first;
  expect(head).toEqual({
    id,
    state: 'completed',
    total_count: 2_345,
    processed: 2_345,
    created: 2_345,
    rejected: 0,
    page: 1,
    pages: 3,
  });
  const rows = [firstRows];
  for (const page of [2, 3]) rows.push((await resultOf(service, id, page)).body.data);
  expect(rows.map((page) => page.length)).toEqual([1_000, 1_000, 345]);
  expect(rows.flat()).toEqual(
    data.map((one, index) => ({ index, id: full(one.id), status: 'created', errors: [] })),
  );
  expect(await storedLike('all-%')).toEqual(data.map((one) => full(one.id)));
  const events = await service.sql`
    select type, actor, data, position is not null
      or exists (select from outbox o where o.event_id = e.id) as delivered
    from events e where entity = 'qr_batch' and entity_id = ${id} order by version`;
  expect(events).toEqual([
    {
      type: 'qr_batch.opened',
      actor: expect.stringMatching(/^key:/),
      data: { state: 'waiting_upload', expires_at: expect.any(String) },
      delivered: false,
    },
    {
      type: 'qr_batch.completed',
      actor: 'system',
      data: { state: 'completed', total_count: 2_345, created: 2_345, rejected: 0 },
      delivered: true,
    },
  ]);
  const status = await service.call('GET', `/status/${full('all-7')}`);
  expect(status.body).toMatchObject({
    id: full('all-7'),
    status: 'Pending',
    first_total: 1234.5,
  });
});

test('lists invalid items and taken ids one by one, and saves the valid ones', async () => {
  await imported(service, documentOf([item('old')]));
  const data = [
    item('good'),
    item('good'),
    item('old'),
    item(full('bad'), { city: '', first_total: 9.99 }),
    item('DEADBEEF-x'),
    7,
    { id: '\u0000' },
    item(full('good-2')),
  ];
  const result = await imported(service, documentOf(data));
  expect(result).toMatchObject({ state: 'completed', processed: 8, created: 2, rejected: 6 });
  const told = result.data.map((row: { id?: string; status: string; errors: object[] }) => [
    row.status,
    row.id,
    row.errors.map((error) => ('field' in error ? error.field : null)),
  ]);
  expect(told).toEqual([
    ['created', full('good'), []],
    ['rejected', full('good'), ['id']],
    ['rejected', full('old'), ['id']],
    ['rejected', full('bad'), ['city', 'first_total']],
    ['rejected', undefined, ['id']],
    ['rejected', undefined, [null]],
    ['rejected', undefined, expect.arrayContaining(['id', 'payer_name'])],
    ['created', full('good-2'), []],
  ]);
  for (const { errors } of result.data) {
    for (const { message, ...rest } of errors) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(['field,error_code', 'error_code']).toContain(Object.keys(rest).join());
    }
  }
  expect(await storedLike('good%')).toEqual([full('good'), full('good-2')]);
});

test('accepts members in any order, with spaces, a byte order mark and extra members', async () => {
  const list = JSON.stringify(items(3, 'order'), null, 2);
  const document = `\ufeff { "other": [{"data": 1}], "d\\u0061ta" : ${list} , "total_count": "3" }\n`;
  expect(await imported(service, document)).toMatchObject({ state: 'completed', created: 3 });
});

test('treats an id of an earlier page as taken on a later one', async () => {
  const data = [...items(5_000, 'page'), item('page-0'), item('page-x')];
  const result = await imported(service, documentOf(data));
  expect(result).toMatchObject({ created: 5_001, rejected: 1, pages: 6 });
  const last = (await resultOf(service, result.id, 6)).body.data;
  expect(last.map((row: { status: string }) => row.status)).toEqual(['rejected', 'created']);
});

const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
const hundredThousandAndOne = `{"total_count":100001,"data":[${'0,'.repeat(100_000)}0]}`;

test.each([
  ['is not JSON', '{id;city\n1;ROSARIO}', 'JSON'],
  ['is cut short', documentOf([item('cut')]).slice(0, -2), 'ends at byte'],
  ['is cut short in an item', documentOf([item('cut')]).slice(0, -9), 'ends at byte'],
  ['goes on after its end', `${documentOf([item('more')])}{}`, 'After the end'],
  ['has a broken item', '{"total_count":2,"data":[{},{]}', 'no object is open'],
  ['has 100,001 items', hundredThousandAndOne, 'at most 100000 items'],
  ['has a wrong count', documentOf([item('lie')], { total_count: 2 }), '"data" has 1 item.'],
  ['has no count', documentOf([item('mum')], { total_count: null }), 'total_count'],
  [
    'has a count that is not a number',
    documentOf([item('mum')], { total_count: 'x' }),
    'total_count',
  ],
  ['has a count of 0', documentOf([item('zero')], { total_count: 0 }), '"total_count" is 0, but'],
  ['has no items', documentOf([], { total_count: 1 }), 'a list of 1 to 100000 items'],
  ['has no items and a count of 0', documentOf([]), 'a list of 1 to 100000 items'],
  ['has no "data"', '{"total_count":1}', '"data" is missing'],
  ['has an object as "data"', '{"total_count":1,"data":{}}', '"data" must be an array'],
  ['is nested too deeply', `{"total_count":1,"data":[${deep}]}`, 'are nested'],
  [
    'has an invalid webhook_url',
    documentOf([item('hook')], { webhook_url: 'ftp://x' }),
    'webhook_url',
  ],
])('fails the whole document if it %s, with the reason', async (_what, document, reason) => {
  const [before] = await service.sql`select count(*) from requests`;
  const result = await imported(service, document);
  expect(result).toMatchObject({ state: 'failed', processed: 0, created: 0, data: [] });
  expect(result.error).toContain(reason);
  expect(result.error).toMatch(/^["A-Za-z].*\.$/);
  const [after] = await service.sql`select count(*) from requests`;
  expect(after).toEqual(before);
  const events = await service.sql<{ type: string; data: object }[]>`
    select type, data from events
    where entity = 'qr_batch' and entity_id = ${result.id} order by version`;
  expect(events).toMatchObject([
    { type: 'qr_batch.opened' },
    { type: 'qr_batch.failed', data: { error: result.error } },
  ]);
});

test('keeps no bytes of ended imports, and watches none of them', async () => {
  await expect
    .poll(async () => {
      const [left] = await service.sql<{ chunks: number; watched: number }[]>`
        select (select count(*)::int from batch_chunks) as chunks,
          (select count(*)::int from batches where look_at is not null) as watched`;
      return left;
    })
    .toEqual({ chunks: 0, watched: 0 });
});

test('shows a result page by page, to its account only', async () => {
  const { id } = await open(service);
  for (const [path, status, text] of [
    [`/batch-result/${id}/1`, 200, id],
    [`/batch-result/${id}/2`, 404, 'has 1 page.'],
    [`/batch-result/${id}/0`, 400, 'page'],
    [`/batch-result/${id}/x`, 400, 'page'],
    ['/batch-result/999999999/1', 404, 'no batch'],
    ['/batch-result/abc/1', 404, 'no batch'],
    ['/batch-result/1e3/1', 404, 'no batch'],
  ] as const) {
    const answer = await service.call('GET', path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.text).toContain(text);
  }
  const [other] = await service.sql<{ id: string }[]>`
    update batches set account_id = '00000001' where id = ${id} returning id`;
  expect(other).toBeDefined();
  expect((await resultOf(service, id)).status).toBe(404);
  for (const path of ['/bucket-url', `/batch-result/${id}/1`]) {
    const { status, body } = await service.call('GET', path, { key: null });
    expect([status, body.code]).toEqual([401, 'H401']);
  }
});

test('retries a failed step with backoff, up to a limit', async () => {
  const { id } = await open(service);
  // The store of this document is not configured, so every attempt fails on our side.
  const failAfter = (tries: number) => service.sql`
    update batches set stored_in = 's3', state = 'processing', tries = ${tries},
      look_at = created_at where id = ${id}`;
  const nextTry = async () => {
    const [row] = await service.sql<{ tries: number; pause: boolean }[]>`
      select tries, look_at > ${new Date(Date.now() + 60_000).toISOString()}::timestamptz as pause
      from batches where id = ${id}`;
    return row;
  };
  await failAfter(4);
  await expect.poll(nextTry).toEqual({ tries: 5, pause: true });
  await failAfter(mostTries);
  const result = await ended(service, id);
  expect(result).toMatchObject({ state: 'failed', created: 0 });
  expect(result.error).toMatch(/^The import stopped because of a fault on our side\./);
  const events = await service.sql<{ type: string }[]>`
    select type from events where entity = 'qr_batch' and entity_id = ${id} order by version`;
  expect(events).toEqual([{ type: 'qr_batch.opened' }, { type: 'qr_batch.failed' }]);
});
