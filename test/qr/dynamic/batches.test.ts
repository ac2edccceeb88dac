import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDays } from '../../harness/builders/clock.ts';
import { batchOf, callerOf, full, itemOf } from '../../harness/builders/qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { startService, type TestService, testKey } from '../../harness/service.ts';

let service: TestService;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  qr = callerOf(service);
});
afterAll(() => service.stop());

const count = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from requests where kind = 'qr'`;
  return row?.count ?? -1;
};

const items = (prefix: string, size: number): Record<string, unknown>[] =>
  Array.from({ length: size }, (_none, index) => itemOf(service, `${prefix}${index}`));

/** Checks a refused call that changed nothing. Returns its faults. */
const refusedSave = async (data: unknown[], status: number, code: string) => {
  const before = await count();
  const errors = expectQrError(await qr.save(data), status, code);
  expect(await count()).toBe(before);
  return errors;
};

describe('a batch', () => {
  test('saves 10,000 items with one event, and edits and deletes them with one event each', async () => {
    const data = items('many', 10_000);
    const saved = await qr.save(data);
    expect([saved.status, saved.body.code, saved.body.total_count]).toEqual([201, 'H001', 10_000]);
    expect(saved.body.data).toEqual(data.map(({ id }) => ({ id: full(String(id)) })));
    const events = await service.sql<{ type: string; count: number; stored: number }[]>`
      select type, (data->>'count')::int as count, json_array_length(data->'request_ids') as stored
      from events where entity like 'qr%'`;
    expect(events).toEqual([{ type: 'qr_batch.saved', count: 10_000, stored: 10_000 }]);
    const edited = await qr.editMany(data.map((item) => ({ ...item, first_total: 77 })));
    expect([edited.status, edited.body.code, edited.body.total_count]).toEqual([
      200,
      'H005',
      10_000,
    ]);
    expect((await qr.status('many9999')).body.first_total).toBe(77);
    const removed = await qr.removeMany(data.map(({ id }) => id));
    expect([removed.status, removed.body.code]).toEqual([200, 'H006']);
    const [row] = await service.sql<{ deleted: number; events: number; queued: number }[]>`
      select (select count(*)::int from requests where state = 'deleted') as deleted,
        (select count(*)::int from events where type in ('qr.edited', 'qr.deleted')) as events,
        (select count(*)::int from outbox where entity = 'qr') as queued`;
    expect(row).toEqual({ deleted: 10_000, events: 20_000, queued: 10_000 });
  }, 30_000);

  test('refuses a batch without items, or with 10,001', async () => {
    await refusedSave([], 400, 'H102');
    await refusedSave(items('over', 10_001), 400, 'H102');
    expectQrError(await qr.removeMany([]), 400, 'H102');
    const ids = Array.from({ length: 10_001 }, (_none, index) => `id${index}`);
    expectQrError(await qr.removeMany(ids), 400, 'H102');
    expectQrError(await qr.send('POST', '/save-qr-data', { total_count: 1 }), 400, 'H102');
    expectQrError(await qr.send('POST', '/save-qr-data', {}), 400, 'H102');
  });

  test('refuses a batch if total_count differs from the number of items', async () => {
    const data = items('count', 2);
    for (const total of [1, 3, 0, -2, '3', 2.5, null, 'two', [2], undefined]) {
      const body = { data, total_count: total };
      for (const [method, path] of [
        ['POST', '/save-qr-data'],
        ['POST', '/batch-edit-qr'],
      ] as const) {
        expectQrError(await qr.send(method, path, body), 400, 'H101');
      }
      const ids = { data: ['count0', 'count1'], total_count: total };
      expectQrError(await qr.send('DELETE', '/batch-delete-qr', ids), 400, 'H101');
    }
    expect((await qr.send('POST', '/save-qr-data', { total_count: '2', data })).status).toBe(201);
  });

  test('saves nothing if one item is invalid, and names it', async () => {
    const data = items('bad', 2_000);
    data[1_234] = { ...data[1_234], first_total: 9.99 };
    const errors = await refusedSave(data, 400, 'H103');
    expect(errors).toEqual([
      {
        index: 1_234,
        id: full('bad1234'),
        field: 'first_total',
        message: expect.stringContaining('at least 10'),
        error_code: 'field.amount_too_small',
      },
    ]);
  });

  test('lists every fault of every item at once', async () => {
    await qr.save([itemOf(service, 'taken')]);
    const errors = await refusedSave(
      [
        {},
        itemOf(service, 'fine'),
        'not an object',
        itemOf(service, 'taken', { city: 'x'.repeat(16), first_due_date: inDays(service, -1) }),
        itemOf(service, 'fine'),
        itemOf(service, 'x', { id: 'BBBBBBBB-foreign' }),
        itemOf(service, full('taken')),
      ],
      400,
      'H103',
    );
    const places = errors.map(({ index, field }) => `${index} ${field ?? ''}`.trim());
    const required = ['id', 'city', 'multiple_payment', 'description', 'first_total'];
    expect(places).toEqual([
      ...[...required, 'first_due_date', 'payer_name'].map((field) => `0 ${field}`),
      '2',
      '3 city',
      '3 first_due_date',
      '3 id',
      '4 id',
      '5 id',
      '6 id',
      '6 id',
    ]);
    const codes = errors.flatMap(({ index, field, error_code }) =>
      field === 'id' && index !== 0 ? [error_code] : [],
    );
    expect(codes).toEqual([
      'qr.id_used',
      'qr.id_repeated',
      'qr.id_other_account',
      'qr.id_repeated',
      'qr.id_used',
    ]);
  });

  test('names the index of each taken id, including those of deleted items', async () => {
    await qr.save(items('stored', 3));
    await qr.remove('stored1');
    const errors = await refusedSave([...items('new', 2), ...items('stored', 3)], 409, 'H104');
    expect(errors.map(({ index, id }) => [index, id])).toEqual([
      [2, full('stored0')],
      [3, full('stored1')],
      [4, full('stored2')],
    ]);
  });

  test('lists each QR that an edit or deletion does not allow, and changes none', async () => {
    await qr.save(items('mixed', 5));
    await qr.remove('mixed1');
    await qr.pay('mixed2');
    const expected = [
      [1, full('mixed1'), 'qr.deleted'],
      [2, full('mixed2'), 'qr.paid'],
      [5, full('missing'), 'qr.not_found'],
    ];
    const seen = ({ index, id, error_code }: (typeof edit)[number]) => [index, id, error_code];
    const data = [...items('mixed', 5), itemOf(service, 'missing')];
    for (const item of data) item.first_total = 55;
    const edit = expectQrError(await qr.editMany(data), 409, 'H105');
    expect(edit.map(seen)).toEqual(expected);
    const remove = expectQrError(await qr.removeMany(data.map(({ id }) => id)), 409, 'H105');
    expect(remove.map(seen)).toEqual(expected);
    const { body } = await qr.status('mixed0');
    expect([body.status, body.first_total]).toEqual(['Pending', 1430.5]);
  });

  test('accepts ids to delete with or without the prefix, each only once, and only as strings', async () => {
    await qr.save(items('twice', 2));
    const twice = expectQrError(await qr.removeMany(['twice0', full('twice0')]), 400, 'H103');
    expect(twice).toMatchObject([{ index: 1, id: full('twice0'), field: 'id' }]);
    const odd = await qr.removeMany([7, null, { id: 'twice0' }, '', 'ñ', 'BBBBBBBB-twice0']);
    expect(expectQrError(odd, 400, 'H103').map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await qr.removeMany(['twice0', full('twice1')])).status).toBe(200);
  });

  test('ignores unknown members and the order of keys', async () => {
    const item = itemOf(service, 'order', { color: 'blue', deep: { er: [1, { a: null }] } });
    const body = `{"data":[${JSON.stringify(item)}],"more":{"data":[1]},"total_count":1}`;
    expect((await qr.send('POST', '/save-qr-data', body)).status).toBe(201);
  });
});

/**
 * Returns the status of the answer to a call that declares a body of this length and never sends
 * it.
 */
const statusOfLength = (path: string, length: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request(`${service.origin}${path}`, {
      method: path === '/batch-delete-qr' ? 'DELETE' : 'POST',
      headers: {
        authorization: `Bearer ${testKey}`,
        'content-type': 'application/json',
        'content-length': length,
      },
    });
    call.on('response', ({ statusCode }) => {
      call.destroy();
      resolve(statusCode);
    });
    call.on('error', reject);
    call.flushHeaders();
  });

describe('an unreadable body', () => {
  const save = (body: unknown, headers = {}) => qr.send('POST', '/save-qr-data', body, headers);

  test('refuses an unreadable body with 400, wherever it breaks', async () => {
    const good = JSON.stringify(batchOf(items('cut', 3)));
    for (const body of [
      good.slice(0, -1),
      good.slice(0, good.length / 2),
      `${good}x`,
      `[${good}]`,
      '{"total_count":1,"data":{"id":"x"}}',
      '{"total_count":1,"data":[{}],"data":[{}]}',
      `{"total_count":1,"data":[${'['.repeat(5_000)}${']'.repeat(5_000)}]}`,
      '"text"',
      'null',
    ]) {
      expectQrError(await save(body), 400, 'H400');
    }
    const empty = await service.call('POST', '/save-qr-data', {
      headers: { 'content-type': 'application/json' },
    });
    expectQrError(empty, 400, 'H400');
    expect(empty.body.message).toContain('empty');
    expect(await count()).toBeGreaterThan(0);
  });

  test('refuses a compressed body, or one of another type, with 415', async () => {
    const zipped = gzipSync(JSON.stringify(batchOf(items('zip', 1))));
    const send = async (headers: Record<string, string>): Promise<[number, string]> => {
      const response = await fetch(`${service.origin}/save-qr-data`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}`, ...headers },
        body: zipped,
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await send({})).toEqual([415, 'H304']);
    expect(await send({ 'content-encoding': 'gzip' })).toEqual([415, 'H304']);
    expectQrError(await save('x', { 'content-type': 'text/csv' }), 415, 'H415');
  });

  test('refuses a body above the call’s limit with 413', async () => {
    const big = `{"total_count":1,"x":"${'x'.repeat(1024 * 1024)}"}`;
    expectQrError(await qr.send('POST', '/edit-qr/any', big), 413, 'H413');
    for (const path of ['/save-qr-data', '/batch-edit-qr', '/batch-delete-qr']) {
      expect(await statusOfLength(path, 96 * 1024 * 1024 + 1)).toBe(413);
    }
  });

  test('does not read a body without a key', async () => {
    const answer = await service.call('POST', '/save-qr-data', { body: 'x', key: null });
    expectQrError(answer, 401, 'H401');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('an Idempotency-Key', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  test('replays the first answer for an Idempotency-Key, even after the items’ due dates', async () => {
    for (const size of [1, 30]) {
      const data = items(`again${size}x`, size).map((item) => ({
        ...item,
        first_due_date: inDays(service, 0),
      }));
      const first = await qr.save(data, withKey(`again ${size}`));
      expect(first.status).toBe(201);
      const again = await qr.save(data, withKey(`again ${size}`));
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await qr.move({ days: 2 })).status).toBe(200);
      const later = await qr.save(data, withKey(`again ${size}`));
      expect([later.status, later.text]).toEqual([201, first.text]);
    }
  });

  test('refuses another body under the Idempotency-Key with 422, and saves nothing', async () => {
    await qr.save(items('key', 2), withKey('other'));
    const before = await count();
    for (const data of [items('other', 1), items('other', 2), items('key', 1), [{}]]) {
      expectQrError(await qr.save(data, withKey('other')), 422, 'H422');
    }
    expect(await count()).toBe(before);
  });

  test('frees the Idempotency-Key of a refused call', async () => {
    expectQrError(await qr.save([{}], withKey('freed')), 400, 'H103');
    expectQrError(await qr.save(items('key', 1), withKey('freed')), 409, 'H104');
    expect((await qr.save(items('freed', 1), withKey('freed'))).status).toBe(201);
  });
});
