import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { dayIn, inDays } from '../../harness/builders/clock.ts';
import { callerOf, eventsOf, full, itemOf } from '../../harness/builders/qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  qr = callerOf(service);
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const saveOne = async (part: string, fields: Record<string, unknown> = {}): Promise<void> => {
  const answer = await qr.save([itemOf(service, part, fields)]);
  expect(answer.status, answer.text).toBe(201);
};

describe('an edit', () => {
  test('changes the sent fields, wrapped or flat, with or without its id', async () => {
    await saveOne('edited', { postal_code: 'X5000ABC' });
    const answer = await qr.edit('edited', itemOf(service, 'edited', { first_total: 20 }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 'H005',
      message: 'Ok',
      total_count: 1,
      data: [{ id: full('edited') }],
    });
    expect((await qr.status('edited')).body).toMatchObject({ first_total: 20, city: 'Córdoba' });
    expect((await qr.status('edited')).body).toMatchObject({ postal_code: 'X5000ABC' });
    const { id: _id, ...flat } = itemOf(service, 'edited', { first_total: 30, city: 'Salta' });
    expect((await qr.send('POST', `/edit-qr/${full('edited')}`, flat)).status).toBe(200);
    expect((await qr.status('edited')).body).toMatchObject({ first_total: 30, city: 'Salta' });
    const types = (await eventsOf(service, 'edited')).map(({ type, version }) => [type, version]);
    expect(types).toEqual([
      ['qr.created', 1],
      ['qr.edited', 2],
      ['qr.edited', 3],
    ]);
  });

  test.each([
    ['flat', (fields: object) => fields],
    ['wrapped', (fields: object) => ({ total_count: 1, data: [fields] })],
  ])('keeps the other fields for a %s body without id and city', async (shape, bodyOf) => {
    const id = `kept-${shape}`;
    await saveOne(id, {
      postal_code: 'X5000ABC',
      payer_email: 'ana@example.com',
      second_due_date: inDays(service, 20),
      second_total: 1500,
    });
    const { first_total: _total, ...before } = (await qr.status(id)).body;
    const answer = await qr.send('POST', `/edit-qr/${id}`, bodyOf({ first_total: '1450.25' }));
    expect([answer.status, answer.body.code]).toEqual([200, 'H005']);
    const { first_total: total, ...after } = (await qr.status(id)).body;
    expect(total).toBe(1450.25);
    expect(after).toEqual({ ...before, updated_at_time: after.updated_at_time });
  });

  test('validates new due dates together with stored ones', async () => {
    const item = {
      second_due_date: inDays(service, 20),
      second_total: 1500,
    };
    await saveOne('dues', item);
    await saveOne('no-second');
    const faultsOf = async (id: string, fields: object) =>
      expectQrError(await qr.send('POST', `/edit-qr/${id}`, fields), 400, 'H103').map(
        ({ field }) => field,
      );
    expect(await faultsOf('dues', { first_total: 1500.01 })).toEqual(['second_total']);
    expect(await faultsOf('dues', { first_due_date: inDays(service, 20) })).toEqual([
      'second_due_date',
    ]);
    expect(await faultsOf('dues', { second_due_date: inDays(service, 5) })).toEqual([
      'second_due_date',
    ]);
    expect(await faultsOf('no-second', { second_total: 2000 })).toEqual(['second_due_date']);
    expect(await faultsOf('no-second', { first_due_date: inDays(service, -1), city: 5 })).toEqual([
      'city',
      'first_due_date',
    ]);
    // A batch is all or nothing, and lists every fault.
    const listed = expectQrError(
      await qr.editMany([
        { id: 'no-second', payer_name: 'Eva' },
        { id: 'dues', second_total: 1 },
        { id: 'nobody', city: 'Salta' },
      ]),
      400,
      'H103',
    );
    expect(listed.map(({ index, field }) => [index, field])).toEqual([
      [1, 'second_total'],
      [2, undefined],
    ]);
    expect((await qr.status('no-second')).body.payer_name).toBe('Ana Pérez');
    expect((await qr.editMany([{ id: 'no-second', payer_name: 'Eva' }])).status).toBe(200);
    expect((await qr.status('no-second')).body.payer_name).toBe('Eva');
  });

  test('refuses an id other than the path’s, or none or two items, and changes nothing', async () => {
    await saveOne('path');
    const other = await qr.edit('path', itemOf(service, 'other', { first_total: 99 }));
    const [fault] = expectQrError(other, 400, 'H103');
    expect(fault).toMatchObject({ index: 0, field: 'id' });
    const item = itemOf(service, 'path', { first_total: 99 });
    const two = { total_count: 2, data: [item, item] };
    expectQrError(await qr.send('POST', '/edit-qr/path', two), 400, 'H102');
    expectQrError(
      await qr.send('POST', '/edit-qr/path', { total_count: 0, data: [] }),
      400,
      'H102',
    );
    expectQrError(await qr.send('POST', '/edit-qr/path', { data: [item] }), 400, 'H101');
    expectQrError(await qr.send('POST', '/edit-qr/path', { data: item }), 400, 'H400');
    for (const body of [[item], 'x', '1', 'null']) {
      expectQrError(await qr.send('POST', '/edit-qr/path', body), 400, 'H400');
    }
    const faults = expectQrError(await qr.send('POST', '/edit-qr/path', {}), 400, 'H103');
    expect(faults).toEqual([
      {
        index: 0,
        id: full('path'),
        message: expect.stringMatching(
          /Send at least one of these fields: city, .*second_total\.$/,
        ),
        error_code: 'qr.nothing_to_change',
      },
    ]);
    expect((await qr.status('path')).body.first_total).toBe(1430.5);
  });

  test('answers 404 for a missing QR, and 409 for a deleted one', async () => {
    const item = (part: string) => itemOf(service, part);
    expectQrError(await qr.edit('nobody', item('nobody')), 404, 'H404');
    expectQrError(await qr.edit('BBBBBBBB-path', item('path')), 404, 'H404');
    await saveOne('deleted-one');
    await qr.remove('deleted-one');
    expectQrError(await qr.edit('deleted-one', item('deleted-one')), 409, 'H202');
  });
});

describe('a deletion', () => {
  test('deletes a QR once with an event, and keeps it readable', async () => {
    await saveOne('gone');
    const answer = await qr.remove('gone');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 'H006',
      message: 'Ok',
      total_count: 1,
      data: [{ id: full('gone') }],
    });
    const { body } = await qr.status('gone');
    expect(body).toMatchObject({
      status: 'Deleted',
      deleted_at: dayIn(body.updated_at_time),
      deleted_at_time: body.updated_at_time,
    });
    expectQrError(await qr.remove('gone'), 409, 'H202');
    expectQrError(await qr.pay('gone'), 409, 'H202');
    expect((await eventsOf(service, 'gone')).at(-1)).toMatchObject({
      type: 'qr.deleted',
      version: 2,
      queued: true,
      data: { state: 'deleted', external_reference: 'ref gone', amount: 1430.5 },
    });
    expectQrError(await qr.save([itemOf(service, 'gone')]), 409, 'H104');
  });

  test('accepts a body that names the same QR, and no other', async () => {
    await saveOne('body');
    const remove = (body: unknown) => qr.send('DELETE', `/delete-qr/${full('body')}`, body);
    expectQrError(await remove({ total_count: 1, data: ['other'] }), 400, 'H103');
    expectQrError(await remove({ total_count: 2, data: ['body'] }), 400, 'H101');
    expectQrError(await remove({ total_count: 1, data: [1] }), 400, 'H103');
    expectQrError(await remove({ total_count: 1, data: [null] }), 400, 'H103');
    for (const body of [{ ids: ['body'] }, ['body'], '"body"', 'true']) {
      expectQrError(await remove(body), 400, 'H400');
    }
    expect((await remove({ total_count: '1', data: ['body'] })).status).toBe(200);
    await saveOne('empty');
    expect((await qr.send('DELETE', '/delete-qr/empty', {})).status).toBe(200);
  });
});
