import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemOf } from '../harness/builders/qrs.ts';
import { staticBody } from '../harness/builders/static-qrs.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

/** Two services on one database, which stand for two processes. */
let first: TestService;
let second: TestService;
let player: Player;
beforeAll(async () => {
  first = await startService({ ROLES: 'payments,qr' });
  second = await startService({ ROLES: 'payments,qr', DATABASE_URL: first.databaseUrl });
  player = playerOf(first);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const post = (
  path: string,
  key: string,
  body: unknown = {},
  service: TestService = first,
): Promise<Answer> => service.call('POST', path, { body, headers: { 'idempotency-key': key } });

const replayed = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';
const resultsOf = async (id: number): Promise<{ type: string; amount: number }[]> =>
  (await player.get(id)).request_result;

describe('a call of the sandbox with an Idempotency-Key', () => {
  test.each(['non_banking', 'wire_transfer', 'qr'])(
    'pays by %s once, and replays its first answer',
    async (channel) => {
      const id = await player.create();
      const answer = await post(`/sandbox/pay/${id}`, 'pay', { channel });
      expect(answer.status).toBe(200);
      for (const service of [first, second]) {
        const again = await post(`/sandbox/pay/${id}`, 'pay', { channel }, service);
        expect([again.text, replayed(again)]).toEqual([answer.text, true]);
      }
      expect(await resultsOf(id)).toHaveLength(1);
    },
  );

  test('pays, refunds and charges back once when sent to two processes at once', async () => {
    const id = await player.create();
    const at = (path: string, key: string, body: unknown = {}) =>
      Promise.all([first, second, first, second].map((on) => post(path, key, body, on)));
    for (const [path, body] of [
      [`/sandbox/pay/${id}`, {}],
      [`/sandbox/refund/${id}`, { amount: 10 }],
      [`/sandbox/chargeback/${id}`, {}],
    ] as const) {
      const statuses = (await at(path, 'at once', body)).map(({ status }) => status);
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    }
    const types = (await resultsOf(id)).map(({ type }) => type.split('_')[0]);
    expect(types).toEqual(['collected', 'refund', 'chargeback']);
    expect(await player.faults()).toEqual([]);
  });

  test('takes effect once when a call is repeated after a crash that lost its answer', async () => {
    const id = await player.create();
    await post(`/sandbox/pay/${id}`, 'died');
    await post(`/sandbox/refund/${id}`, 'died', { amount: 5 });
    await first.sql`delete from idempotency_keys where key = 'died'`;
    expect((await post(`/sandbox/pay/${id}`, 'died')).status).toBe(200);
    expect((await post(`/sandbox/refund/${id}`, 'died', { amount: 5 })).status).toBe(200);
    expect(await resultsOf(id)).toHaveLength(2);
  });

  test('attempts a card or QR payment once per key, even concurrently or after a crash', async () => {
    const id = await player.create();
    const refused = { channel: 'credit_card', card_number: '4258210000474094' };
    const qr = { path: '/pay-qr/many', body: {} };
    const item = itemOf(first, 'many', { multiple_payment: true });
    await first.call('POST', '/save-qr-data', { body: { total_count: 1, data: [item] } });
    const wall = await first.call('POST', '/create-qr', {
      body: staticBody({ id: 'open', qr_type: 'static_open_amount' }),
    });
    const open = { path: `/pay-qr-static/${wall.body.id}`, body: { first_total: 20 } };
    for (const { path, body } of [{ path: `/sandbox/pay/${id}`, body: refused }, qr, open]) {
      await Promise.all([first, second].map((on) => post(path, 'asked', body, on)));
      await first.sql`delete from idempotency_keys where key = 'asked'`;
      const again = await post(path, 'asked', body, second);
      expect(again.status, again.text).toBe(200);
    }
    expect((await resultsOf(id)).map(({ type }) => type.split('_')[0])).toEqual(['rejected']);
    const paid = await first.sql`
      select code from results join requests using (account_id)
      where results.request_id = requests.id and requests.kind = 'qr'`;
    expect(paid).toHaveLength(2);
    expect(await player.faults()).toEqual([]);
  });

  test('scopes a key to its request, and refuses another body', async () => {
    const [one, other] = [await player.create(), await player.create()];
    expect((await post(`/sandbox/pay/${one}`, 'both')).body.id).toBe(one);
    expect((await post(`/sandbox/pay/${other}`, 'both')).body.id).toBe(other);
    expect((await post(`/sandbox/pay/${one}`, 'both', { channel: 'qr' })).status).toBe(422);
    expect(await resultsOf(one)).toHaveLength(1);
  });

  test('frees the key of a refused call', async () => {
    const id = await player.create();
    expect((await post(`/sandbox/refund/${id}`, 'freed')).status).toBe(409);
    await player.pay(id);
    expect((await post(`/sandbox/refund/${id}`, 'freed')).status).toBe(200);
  });

  test('moves the clock once for a key', async () => {
    const move = () => post('/sandbox/clock', 'moved', { days: 1 });
    const answer = await move();
    expect([answer.status, (await move()).text]).toEqual([200, answer.text]);
  });

  test('does not move the clock again when a call is repeated after a crash that lost its answer', async () => {
    const start = first.service.parts.clocks.business.now();
    const move = (body: object) => post('/sandbox/clock', 'lost', body);
    expect((await move({ days: 1 })).status).toBe(200);
    await first.sql`delete from idempotency_keys where key = 'lost' and path = '/sandbox/clock'`;
    const { status, body } = await move({ days: 1 });
    expect(status).toBe(200);
    expect(start.until(body.now).total('hours')).toBeLessThan(25);
    expect((await move({ days: 2 })).status).toBe(422);
  });
});
