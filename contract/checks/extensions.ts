import { expectEqual, expectMembers, expectStatus } from '../api.ts';
import { section, type World } from '../check.ts';

const bodyOf = (world: World, total: number | string = 100) => ({
  payment_request: {
    description: 'Contract',
    first_due_date: world.day(20),
    first_total: total,
    payer_name: 'Ana Pérez',
  },
});

export const extensions = section('What Recaudo adds', 'extension', {
  'a missing or unknown key is refused with 401 and WWW-Authenticate': async (world) => {
    for (const key of [null, 'no-such-key']) {
      const answer = await world.call('GET', '/account/balances', { key });
      expectStatus(answer, 401);
      expectEqual(answer.headers.get('www-authenticate')?.startsWith('Bearer'), true, 'Bearer');
    }
  },
  'an unknown id is answered with 404, for every kind of object': async (world) => {
    for (const noun of [
      ...['payment-request', 'adhesion', 'card-adhesion', 'debit-request', 'card-debit-request'],
    ]) {
      expectStatus(await world.call('GET', `/${noun}/987654321`), 404);
    }
    expectStatus(await world.qr('GET', `/status/${world.run}-none`), 404);
  },
  'a faulty form is refused with 400, which names every wrong field with a code': async (world) => {
    const body = { payment_request: { ...bodyOf(world).payment_request, payer_name: '' } };
    const wrong = { payment_request: { ...body.payment_request, first_total: 0 } };
    const answer = await world.call('POST', '/payment-request', { body: wrong });
    expectStatus(answer, 400);
    const kinds = { code: 'integer', message: 'text', errors: 'list', children: 'object' } as const;
    const found = expectMembers(answer.body, { ...kinds, error_code: 'text' });
    expectEqual(found.error_code, 'invalid_fields', 'error_code');
    const children = expectMembers(found.children, { payer_name: 'object', first_total: 'object' });
    for (const name of ['payer_name', 'first_total']) {
      expectMembers(children[name], { errors: 'list', codes: 'list' });
    }
    expectEqual(children.description, {}, 'a field without fault');
  },
  'a call repeated under one Idempotency-Key takes effect once': async (world) => {
    const headers = { 'idempotency-key': `contract ${world.run}` };
    const body = bodyOf(world);
    const [first, again] = [
      await world.call('POST', '/payment-request', { body, headers }),
      await world.call('POST', '/payment-request', { body, headers }),
    ];
    expectStatus(first, 201);
    expectEqual(again.body, first.body, 'the second answer');
    expectEqual(again.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed');
    const other = await world.call('POST', '/payment-request', { body: bodyOf(world, 7), headers });
    expectStatus(other, 422);
  },
  'amounts may be sent as texts': async (world) => {
    const answer = await world.call('POST', '/payment-request', { body: bodyOf(world, '123.45') });
    expectStatus(answer, 201);
    expectEqual(expectMembers(answer.body, {}).first_total, 123.45, 'first_total');
  },
  'an unknown method is refused with 405 and Allow, an unknown charset with 415': async (world) => {
    const other = await world.call('DELETE', '/account/balances');
    expectStatus(other, 405);
    expectEqual(other.headers.has('allow'), true, 'Allow');
    const headers = { 'content-type': 'application/json; charset=latin1' };
    const body = bodyOf(world);
    expectStatus(await world.call('POST', '/payment-request', { body, headers }), 415);
  },
  'GET lists payment requests after an id, up to a limit': async (world) => {
    const first = await world.call('GET', '/payment-request?limit=1&after=0');
    expectStatus(first, 200);
    expectMembers(first.body, { data: 'list' });
  },
  'answers have a Request-Id': async (world) => {
    const answer = await world.call('GET', '/account/balances');
    expectEqual(answer.headers.has('request-id'), true, 'Request-Id');
  },
});
