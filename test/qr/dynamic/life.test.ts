import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { parsePayload, valueAt } from '../../../src/kernel/emv.ts';
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

const statusOf = async (part: string): Promise<string> => (await qr.status(part)).body.status;

describe('a QR that is saved', () => {
  test('answers its id with the prefix of the account, and can be read with or without it', async () => {
    const item = itemOf(service, 'first', {
      qr_type: 'dynamic',
      qr_name: 'Caja 1',
      postal_code: 'X5000ABC',
      payer_email: 'ana@example.com',
      second_due_date: inDays(service, 20),
      second_total: '1500.10',
      multiple_payment: 'false',
    });
    const saved = await qr.save([item]);
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      code: 'H001',
      message: 'Ok',
      total_count: 1,
      data: [{ id: full('first') }],
    });
    const read = await qr.status('first');
    expect(read.status).toBe(200);
    const { qr_string, image_url, image_svg_url, ...others } = read.body;
    const { created_at, created_at_time, updated_at, updated_at_time, ...rest } = others;
    expect(rest).toEqual({
      ...item,
      id: full('first'),
      account_id: testAccount,
      cuit: expect.stringMatching(/^[0-9]{11}$/),
      status: 'Pending',
      second_total: 1500.1,
      multiple_payment: false,
    });
    expect(created_at_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
    expect(created_at).toBe(dayIn(created_at_time));
    expect([updated_at, updated_at_time]).toEqual([created_at, created_at_time]);
    expect(image_url).toMatch(/^http.*\.png$/);
    expect(image_svg_url).toMatch(/^http.*\.svg$/);
    expect((await qr.status(full('first'))).text).toBe(read.text);
    const parsed = parsePayload(qr_string);
    if (!parsed.ok) throw new Error(parsed.fault);
    expect(valueAt(parsed.objects, '62', '01')).toBe(full('first'));
    expect(valueAt(parsed.objects, '60')).toBe('CORDOBA');
    expect(valueAt(parsed.objects, '54')).toBeNull();
  });

  test('tells its amount in the code where it has only one', async () => {
    await saveOne('one-amount', { first_total: '10.00' });
    const parsed = parsePayload((await qr.status('one-amount')).body.qr_string);
    expect(parsed.ok && valueAt(parsed.objects, '54')).toBe('10.00');
  });

  test('leaves one event that webhooks do not deliver', async () => {
    await saveOne('event');
    expect(await eventsOf(service, 'event')).toEqual([
      {
        entity: 'qr',
        entity_id: full('event'),
        version: 1,
        type: 'qr.created',
        queued: false,
        data: { state: 'pending', external_reference: 'ref event', amount: 1430.5 },
      },
    ]);
  });
});

describe('an edit', () => {
  test('changes what it sends, wrapped or flat, with or without its id', async () => {
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
  ])('a %s body without id and city leaves what it does not send', async (shape, bodyOf) => {
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

  test('is judged by what the QR says then: dues that are sent with those that stay', async () => {
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
    // In a batch the good ones wait for the bad ones, whose faults are all listed.
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

  test('of another id than the path names, of none or of two items changes nothing', async () => {
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
          /^Send at least one field to change: city, .*second_total\.$/,
        ),
      },
    ]);
    expect((await qr.status('path')).body.first_total).toBe(1430.5);
  });

  test('of one that is not there is 404, of a past or final one 409', async () => {
    const item = (part: string) => itemOf(service, part);
    expectQrError(await qr.edit('nobody', item('nobody')), 404, 'H404');
    expectQrError(await qr.edit('BBBBBBBB-path', item('path')), 404, 'H404');
    await saveOne('deleted-one');
    await qr.remove('deleted-one');
    expectQrError(await qr.edit('deleted-one', item('deleted-one')), 409, 'H202');
  });
});

describe('a deletion', () => {
  test('is told, keeps the QR readable, and happens once', async () => {
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

  test('takes a body that names the same QR, and no other', async () => {
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

describe('a payment', () => {
  test('collects what is due and is seen in status, ledger and events', async () => {
    await saveOne('paid', { first_total: 100 });
    const paid = await qr.pay('paid');
    expect(paid.status).toBe(200);
    expect(paid.body).toEqual({
      code: 'H007',
      message: 'Ok',
      qr_id: full('paid'),
      status: 'Paid',
    });
    const { body } = await qr.status('paid');
    expect(body).toMatchObject({
      status: 'Paid',
      request_id: expect.any(Number),
      paid_at: dayIn(body.paid_at_time),
      paid_at_time: expect.stringMatching(/-03:00$/),
      updated_at_time: body.paid_at_time,
    });
    expectQrError(await qr.pay('paid'), 409, 'H201');
    expectQrError(await qr.remove('paid'), 409, 'H201');
    expectQrError(await qr.edit('paid', itemOf(service, 'paid')), 409, 'H201');
    expect((await eventsOf(service, 'paid')).at(-1)).toMatchObject({
      type: 'qr.paid',
      queued: true,
      data: { state: 'paid', amount: 100, external_reference: 'ref paid' },
    });
  });

  test('that goes back makes it Refunded, and a later one is refused', async () => {
    await saveOne('back', { first_total: 100 });
    await qr.pay('back');
    const { request_id: requestId } = (await qr.status('back')).body;
    expect((await qr.refund(requestId, { amount: 40 })).status).toBe(200);
    expect((await qr.status('back')).body).toMatchObject({
      status: 'Paid',
      refunded_at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
      refunded_at_time: expect.stringMatching(/-03:00$/),
    });
    expect((await qr.refund(requestId)).status).toBe(200);
    expect((await qr.status('back')).body).toMatchObject({
      status: 'Refunded',
      request_id: requestId,
      paid_at: expect.any(String),
    });
    expectQrError(await qr.pay('back'), 409, 'H204');
    expectQrError(await qr.remove('back'), 409, 'H204');
    expect((await eventsOf(service, 'back')).at(-1)).toMatchObject({
      type: 'qr.refunded',
      queued: true,
      data: { state: 'refunded' },
    });
  });

  test('that the wallet refuses leaves it Pending', async () => {
    await saveOne('poor', { first_total: 100.91 });
    const answer = await qr.pay('poor');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ code: 'H008', status: 'Pending' });
    const { body } = await qr.status('poor');
    expect(body).not.toHaveProperty('paid_at');
    expect(body).not.toHaveProperty('request_id');
  });

  test('without an answer yet holds off edits, deletions and other payments', async () => {
    await saveOne('slow', { first_total: 100.94 });
    expect((await qr.pay('slow')).body).toMatchObject({ code: 'H009', status: 'Pending' });
    expectQrError(await qr.pay('slow'), 409, 'H205');
    expectQrError(await qr.remove('slow'), 409, 'H205');
    expectQrError(await qr.edit('slow', itemOf(service, 'slow')), 409, 'H205');
    const faults = expectQrError(await qr.removeMany(['slow']), 409, 'H105');
    expect(faults).toMatchObject([{ index: 0, id: full('slow') }]);
    expect((await qr.move({ hours: 25 })).status).toBe(200);
    expect(await statusOf('slow')).toBe('Paid');
  });

  test('of one for many payments leaves it Pending and is counted', async () => {
    await saveOne('wall', { multiple_payment: 'true', first_total: 50 });
    expect((await qr.status('wall')).body.payments).toBe(0);
    for (const count of [1, 2]) {
      expect((await qr.pay('wall')).body).toMatchObject({ code: 'H007', status: 'Pending' });
      const { body } = await qr.status('wall');
      expect(body).toMatchObject({
        status: 'Pending',
        payments: count,
        request_id: body.request_id,
      });
      expect(body.paid_at_time).toBe(body.updated_at_time);
    }
    expect((await qr.remove('wall')).status).toBe(200);
    expect(await statusOf('wall')).toBe('Deleted');
  });

  test('of one for many payments does not wait for another payer', async () => {
    await saveOne('queue', { multiple_payment: true, first_total: 50.94 });
    for (const _payer of [1, 2, 3]) expect((await qr.pay('queue')).body.code).toBe('H009');
    expectQrError(await qr.remove('queue'), 409, 'H205');
    await qr.move({ hours: 25 });
    expect((await qr.status('queue')).body).toMatchObject({ status: 'Pending', payments: 3 });
    expect((await qr.remove('queue')).status).toBe(200);
  });

  test('of one that is not there is 404', async () => {
    expectQrError(await qr.pay('nobody'), 404, 'H404');
    expectQrError(await qr.status('nobody'), 404, 'H404');
    expectQrError(await qr.status('BBBBBBBB-paid'), 404, 'H404');
  });
});

test('past its last due day a QR is Expired, swept or not, and the second total was due before', async () => {
  await saveOne('late', {
    first_due_date: inDays(service, 1),
    first_total: 100,
    second_due_date: inDays(service, 3),
    second_total: 110,
  });
  await saveOne('too-late', { first_due_date: inDays(service, 1) });
  const { clocks } = service.service.parts;
  await clocks.moveTo(clocks.business.now().add({ hours: 48 }));
  expect(await statusOf('too-late')).toBe('Expired');
  expectQrError(await qr.pay('too-late'), 409, 'H203');
  expectQrError(await qr.remove('too-late'), 409, 'H203');
  expectQrError(await qr.edit('too-late', itemOf(service, 'too-late')), 409, 'H203');
  expect((await qr.pay('late')).body.status).toBe('Paid');
  const [row] = await service.sql<{ amount: number }[]>`
    select x.amount from results x join requests r
      on r.account_id = x.account_id and r.id = x.request_id
    where r.code = ${full('late')}`;
  expect(row?.amount).toBe(11_000);
  const moved = await qr.move({ minutes: 0 });
  expect(moved.body.happened).toContainEqual({ what: 'QRs expired', count: expect.any(Number) });
  expect((await eventsOf(service, 'too-late')).at(-1)).toMatchObject({
    type: 'qr.expired',
    queued: true,
  });
});

describe('a QR for many payments that was paid', () => {
  const one = (part: string) => ({ id: part, multiple_payment: false });

  test('is not edited to one for a single payment, alone or in a batch, also after a refund', async () => {
    await saveOne('shop-wall', { multiple_payment: true });
    await saveOne('shop-other', { multiple_payment: true });
    expect((await qr.pay('shop-wall')).status).toBe(200);
    const wanted = 'It must stay true: the QR was paid already, as one for many payments.';
    for (const answer of [
      await qr.edit('shop-wall', one('shop-wall')),
      await qr.editMany([one('shop-wall'), one('shop-other')]),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ field: 'multiple_payment', message: wanted }]);
    }
    const { request_id } = (await qr.status('shop-wall')).body;
    expect((await qr.refund(request_id)).status).toBe(200);
    expect((await qr.edit('shop-wall', one('shop-wall'))).status).toBe(400);
    expect((await qr.edit('shop-other', one('shop-other'))).status).toBe(200);
    expect(await statusOf('shop-wall')).toBe('Pending');
  });

  test('takes other edits for the payments to come: those that were made stay as they were', async () => {
    await saveOne('shop-till', { multiple_payment: true, first_total: 100 });
    await qr.pay('shop-till');
    const edit = { id: 'shop-till', first_total: 250, description: 'Cuota nueva' };
    expect((await qr.edit('shop-till', edit)).status).toBe(200);
    await qr.pay('shop-till');
    const results = await service.sql`
      select amount, description from results
      where request_id = ${(await qr.status('shop-till')).body.request_id} order by id`;
    expect(results).toEqual([
      { amount: 10_000, description: 'Cuota de diciembre' },
      { amount: 25_000, description: 'Cuota nueva' },
    ]);
  });
});
