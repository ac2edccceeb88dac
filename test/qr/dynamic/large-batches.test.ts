import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorPieces, errorText } from '../../../src/platform/http/answers.ts';
import { fingerprintOf, fingerprintOfLong } from '../../../src/platform/idempotency.ts';
import { repeatedIds } from '../../../src/qr/batch.ts';
import { readItems } from '../../../src/qr/dynamic/read.ts';
import { testOperator } from '../../harness/actors.ts';
import { batchOf, callerOf, itemOf } from '../../harness/builders/qrs.ts';
import { turnsDuring } from '../../harness/event-loop.ts';
import { startService, type TestService, testAccount, testKey } from '../../harness/service.ts';

/** Covers batches of 10,000 items that occupy the event loop or the memory of other callers. */
let service: TestService;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr', SLOW_CALLS_AT_ONCE: '1' });
  qr = callerOf(service);
});
afterAll(() => service.stop());

const most = 10_000;
const empty = batchOf(Array.from({ length: most }, () => ({})));
const bytes = Buffer.from(JSON.stringify(empty));

test('yields to other work between the items of a small body', async () => {
  expect(bytes.length).toBeLessThan(64 * 1024);
  const ctx = { accountId: testAccount, actor: testOperator };
  const turns = await turnsDuring(async () => {
    const { faults } = await readItems(service.service.parts.clocks, bytes, ctx);
    expect(faults).toHaveLength(7 * most);
  });
  expect(turns).toBeGreaterThanOrEqual(30);
});

test('yields to other work between the pieces of a long list of faults', async () => {
  const head = { code: 'H400', message: 'What [is] wrong', error_code: 'qr.items_invalid' };
  const faults = Array.from({ length: 7 * most }, (_none, index) => ({ index, message: 'a [b]' }));
  let whole = '';
  const turns = await turnsDuring(async () => {
    for await (const piece of errorPieces(head, faults, (fault) => fault)) whole += piece;
  });
  expect(turns).toBeGreaterThanOrEqual(100);
  expect(whole).toBe(errorText({ ...head, errors: faults }));
});

test('yields to other work while it hashes a long body', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024 + 1, 'x');
  let hash: Buffer | null = null;
  const turns = await turnsDuring(async () => {
    hash = await fingerprintOfLong(body);
  });
  expect(turns).toBeGreaterThanOrEqual(60);
  expect(hash).toEqual(fingerprintOf(body));
  for (const short of [Buffer.alloc(0), Buffer.from('{}')])
    expect(await fingerprintOfLong(short)).toEqual(fingerprintOf(short));
});

test('lists every fault of 10,000 empty items', async () => {
  const { status, body } = await qr.save(empty.data);
  expect([status, body.code, body.error_code]).toEqual([400, 'H103', 'qr.items_invalid']);
  expect(body.errors).toHaveLength(7 * most);
  expect(body.errors.at(-1)).toMatchObject({ index: most - 1, error_code: 'field.required' });
});

test('formats one text for all repetitions of an id', () => {
  const ids = Array.from({ length: most }, (_none, index) => (index < most / 2 ? 'a' : 'b'));
  const faults = repeatedIds({ ids, items: [], faults: [] });
  expect(faults.map(({ index }) => index)).toEqual(
    [...ids.keys()].filter((index) => index !== 0 && index !== most / 2),
  );
  expect(faults.at(-1)?.message).toContain(String(most / 2));
  expect(new Set(faults.map(({ localized }) => localized)).size).toBe(2);
});

/** Sends a batch of empty items. Returns the response with its body unread. */
async function sendUnread(): Promise<IncomingMessage> {
  const call = request(`${service.origin}/save-qr-data`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
  });
  call.end(bytes);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return answer;
}

test('keeps the turn of a refused batch until its caller has read the faults', async () => {
  const order: string[] = [];
  const first = await sendUnread();
  // Small calls need no turn.
  expect((await qr.save([itemOf(service, 'small')])).status).toBe(201);
  const second = sendUnread().then(async (answer) => {
    order.push('second');
    await text(answer);
  });
  expect((await qr.status('small')).status).toBe(200);
  order.push('small');
  first.once('end', () => order.push('first'));
  await text(first);
  await second;
  expect([order[0], order.slice(1).toSorted()]).toEqual(['small', ['first', 'second']]);
});

test('lists each of 10,000 QRs that a deletion does not allow, in the order of the call', async () => {
  const ids = Array.from({ length: most }, (_none, index) => `unknown${index}`);
  const { status, body } = await qr.removeMany(ids);
  expect([status, body.code]).toEqual([409, 'H105']);
  const seen = body.errors.map(({ index }: { index: number }) => index);
  expect(seen).toEqual([...ids.keys()]);
});
