import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { claimDeliveries, dueReceivers } from '../../src/webhooks/delivery/store.ts';
import { queueAgain } from '../../src/webhooks/feed/queue-again.ts';
import { signatureHeaders, signingKey } from '../../src/webhooks/subscriptions/secret.ts';
import { account, type Engine, openEngine } from './engine.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let engine: Engine;
let receiver: Receiver;
let hook: number;
let no = 0;
const nextEntity = (): string => {
  no += 1;
  return String(no);
};

beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  receiver = await openReceiver();
  hook = await engine.register(receiver.url);
});
afterEach(async () => {
  await engine.sql`update webhooks set deleted_at = ${engine.now()} where id = ${hook}`;
  await receiver.close();
});

const secret = (webhookId = hook, no = 1): string =>
  engine.webhooks.secrets.secretOf({ accountId: account, webhookId, no, keyNo: 1 }) ?? '';

/** Verifies with the reference implementation of Standard Webhooks, at the engine's time. */
function verify(given: string, from = receiver, index = -1): void {
  const one = from.received.at(index);
  vi.useFakeTimers({ now: engine.now().epochMilliseconds, toFake: ['Date'] });
  try {
    new Webhook(given).verify(one?.body ?? '', one?.headers ?? {});
  } finally {
    vi.useRealTimers();
  }
}

test('delivers an event with its exact body, signed by Standard Webhooks', async () => {
  const entity = nextEntity();
  const id = await engine.emit(entity, 2, 'payment_request.paid');
  await engine.run();
  const [one] = receiver.received;
  expect(one?.body).toBe(
    '{"entity_name":"payment_request","type":"paid","event_type":"payment_request.paid",' +
      `"entity_id":${entity},"created_at":"2026-12-01T09:00:00-03:00",` +
      `"payload":{"id":${entity},"state":"paid","version":2,"payer":"Ñandú"}}`,
  );
  expect(one?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': `evt_${id}`,
    'webhook-timestamp': String(Math.floor(engine.now().epochMilliseconds / 1000)),
  });
  verify(secret());
  expect(() => verify(secret(hook, 2))).toThrow();
  expect(await engine.attempts(id)).toEqual([{ no: 1, status: 204, error: null }]);
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  expect((await engine.health(hook)).due_at).toBeNull();
});

test('signs an event that waits during a rotation with the new secret first, then the former', async () => {
  await engine.emit(nextEntity(), 1);
  await engine.publish();
  await engine.sql`update webhooks set secret_no = 2, previous_key_no = 1,
    rotated_at = ${engine.now()} where id = ${hook}`;
  await engine.run();
  const [one] = receiver.received;
  const message = {
    id: one?.headers['webhook-id'] ?? '',
    seconds: Number(one?.headers['webhook-timestamp']),
    body: one?.body ?? '',
  };
  const signedBy = (no: number): string =>
    signatureHeaders([signingKey(secret(hook, no))], message)['webhook-signature'];
  const signatures = one?.headers['webhook-signature']?.split(' ');
  expect(signatures).toEqual([signedBy(2), signedBy(1)]);
});

test('leaves an event to the next round if the secret rotates between query and claim', async () => {
  await engine.emit(nextEntity(), 1);
  await engine.publish();
  const now = engine.now();
  const look = async () => (await dueReceivers(engine.sql, now, 100)).find(({ id }) => id === hook);
  const claim = { now, leasedUntil: now.add({ seconds: 30 }), dueBy: now, most: 10 };
  const before = await look();
  await engine.sql`update webhooks set secret_no = 2, previous_key_no = 1,
    rotated_at = ${now} where id = ${hook}`;
  const after = await look();
  if (!before || !after) throw new Error('nothing is due');
  expect(await claimDeliveries(engine.sql, before, claim)).toEqual([]);
  expect(await claimDeliveries(engine.sql, after, claim)).toHaveLength(1);
});

test('signs with both secrets for a day after a rotation, then only with the new one', async () => {
  await engine.sql`update webhooks set secret_no = 2, previous_key_no = 1,
    rotated_at = ${engine.now()} where id = ${hook}`;
  await engine.emit(nextEntity(), 1);
  await engine.run();
  verify(secret(hook, 1));
  verify(secret(hook, 2));
  expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  engine.pass({ hours: 24 });
  await engine.emit(nextEntity(), 1);
  await engine.run();
  verify(secret(hook, 2));
  expect(() => verify(secret(hook, 1))).toThrow();
});

test('signs for a single-entity subscriber with the entity’s secret', async () => {
  const once = { accountId: account, entity: 'qr_batch', entityId: '5', keyNo: 1 };
  await engine.notifyOnce({ ...once, url: receiver.url });
  const told = await engine.emit('5', 1, 'qr_batch.completed');
  await engine.run();
  const mine = receiver.received.filter((one) => one.headers['webhook-id'] === `evt_${told}`);
  expect(mine).toHaveLength(2);
  const verified = [secret(), engine.webhooks.secrets.onceSecretOf(once) ?? ''].map((given) => {
    for (const [index] of mine.entries()) {
      try {
        verify(given, receiver, index);
        return index;
      } catch {
        // This signature belongs to the other secret.
      }
    }
    return null;
  });
  expect(verified.toSorted()).toEqual([0, 1]);
});

test('creates signatures with several keys that the reference implementation verifies', () => {
  const given = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  const seconds = Math.floor(Date.now() / 1000);
  const message = { id: 'evt_1', seconds, body: '{"ñ":1}' };
  const headers = signatureHeaders([Buffer.alloc(32), signingKey(given)], message);
  expect(new Webhook(given).verify(message.body, headers)).toEqual({ ñ: 1 });
});

test.each([200, 201, 202, 204, 299])('treats %d as a success', async (code) => {
  receiver.answer(status(code));
  await engine.emit(nextEntity(), 1);
  await engine.run();
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'delivered' }]);
});

test.each([
  [301, { location: 'http://127.0.0.1:9/elsewhere' }],
  [307, { location: '/other' }],
  [304, {}],
  [400, {}],
  [410, {}],
  [500, {}],
  [503, { 'retry-after': '1' }],
] as const)('treats %d as a failure, does not follow it, and retries', async (code, headers) => {
  receiver.answer(status(code, headers));
  const id = await engine.emit(nextEntity(), 1);
  await engine.run();
  expect(receiver.received).toHaveLength(1);
  expect(await engine.attempts(id)).toEqual([{ no: 1, status: code, error: null }]);
  receiver.answer(status(200));
  await engine.run();
  expect(receiver.received).toHaveLength(1);
  engine.pass({ seconds: 5 });
  await engine.run();
  expect(receiver.received.map((one) => one.headers['webhook-id'])).toEqual([
    `evt_${id}`,
    `evt_${id}`,
  ]);
  expect(await engine.attempts(id)).toHaveLength(2);
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('times out a hanging receiver', async () => {
  receiver.answer(() => {});
  const id = await engine.emit(nextEntity(), 1);
  await engine.run();
  expect(await engine.attempts(id)).toEqual([
    { no: 1, status: null, error: 'no whole answer within 300 ms' },
  ]);
});

test('times out a slowly dripping answer, even while bytes arrive', async () => {
  receiver.answer((_one, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const id = await engine.emit(nextEntity(), 1);
  await engine.run();
  expect(await engine.attempts(id)).toMatchObject([{ status: null }]);
});

test('stops reading an endless answer, and uses its status', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  receiver.answer((_one, response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) });
    const chunk = Buffer.alloc(16 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', more);
    response.on('close', () => closed.resolve());
    more();
  });
  const id = await engine.emit(nextEntity(), 1);
  await engine.run();
  await closed.promise;
  expect(await engine.attempts(id)).toEqual([{ no: 1, status: 200, error: null }]);
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

test('records why a receiver is unreachable, and retries', async () => {
  await receiver.close();
  const id = await engine.emit(nextEntity(), 1);
  await engine.run();
  const [attempt] = await engine.attempts(id);
  expect(attempt?.status).toBeNull();
  expect(attempt?.error).toMatch(/ECONNREFUSED/);
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'pending' }]);
});

test('limits concurrent calls to one receiver', async () => {
  receiver.answer((_one, response) => setTimeout(() => response.end(), 5));
  for (let turn = 0; turn < 40; turn += 1) await engine.emit(nextEntity(), 1);
  await engine.run();
  expect(receiver.received).toHaveLength(40);
  expect(receiver.mostAtOnce()).toBeLessThanOrEqual(4);
  expect(receiver.mostAtOnce()).toBeGreaterThan(1);
});

test('fails an event after three days of failures, and lets a person resend it', async () => {
  receiver.answer(status(500));
  const id = await engine.emit(nextEntity(), 1);
  for (let hour = 0; hour < 80; hour += 1) {
    await engine.run();
    engine.pass({ hours: 1 });
  }
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'failed', next_at: null }]);
  const tries = (await engine.attempts(id)).length;
  expect(tries).toBeGreaterThan(15);
  const resend = () =>
    queueAgain(engine.sql, {
      accountId: account,
      eventId: id,
      webhookId: hook,
      at: engine.now(),
    });
  receiver.answer(status(200));
  expect(await resend()).toEqual([{ webhookId: hook, queued: true }]);
  expect(await resend()).toEqual([{ webhookId: hook, queued: false }]);
  await engine.run();
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'delivered' }]);
  const attempts = await engine.attempts(id);
  expect(attempts.map((one) => one.no)).toEqual(attempts.map((_one, at) => at + 1));
  expect(attempts).toHaveLength(tries + 1);
});

test('counts delivered, retried and failed events in metrics', async () => {
  const before = await Promise.all(['delivered', 'retried', 'failed'].map(engine.counted));
  receiver.answer(status(500));
  await engine.emit(nextEntity(), 1);
  await engine.run();
  engine.pass({ hours: 71, minutes: 59, seconds: 59 });
  await engine.run();
  receiver.answer(status(200));
  await engine.emit(nextEntity(), 1);
  await engine.run();
  const after = await Promise.all(['delivered', 'retried', 'failed'].map(engine.counted));
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1]);
});

test('fails a removed webhook’s waiting deliveries, and sends it nothing more', async () => {
  receiver.answer(status(500));
  const entity = nextEntity();
  await engine.emit(entity, 1);
  await engine.emit(entity, 2, 'qr.refunded');
  await engine.run();
  await engine.sql`update webhooks set deleted_at = ${engine.now()}, due_at = ${engine.now()}
    where id = ${hook}`;
  await engine.emit(entity, 3);
  await engine.run();
  engine.pass({ hours: 1 });
  await engine.run();
  expect(receiver.received).toHaveLength(1);
  expect((await engine.deliveries(hook)).map((one) => one.state)).toEqual(['failed', 'failed']);
  expect((await engine.health(hook)).due_at).toBeNull();
});

test('sends a dead worker’s deliveries after their lease', async () => {
  await engine.emit(nextEntity(), 1);
  await engine.publish();
  await engine.sql`update deliveries set leased_until = ${engine.now().add({ seconds: 10 })}
    where webhook_id = ${hook}`;
  await engine.run();
  expect(receiver.received).toHaveLength(0);
  engine.pass({ seconds: 11 });
  await engine.run();
  expect(receiver.received).toHaveLength(1);
});

test('finishes running deliveries of a stopping worker and releases the rest', async () => {
  receiver.answer((_one, response) => setTimeout(() => response.end(), 50));
  for (let turn = 0; turn < 8; turn += 1) await engine.emit(nextEntity(), 1);
  await engine.publish();
  const worker = engine.deliverer();
  await worker.tick();
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0));
  await worker.stop();
  const rows = await engine.deliveries(hook);
  expect(rows.every((row) => row.leased_until === null)).toBe(true);
  const delivered = rows.filter((row) => row.state === 'delivered').length;
  expect(delivered).toBe(receiver.received.length);
  expect(delivered).toBeLessThan(8);
  await engine.run();
  expect(receiver.received).toHaveLength(8);
});
