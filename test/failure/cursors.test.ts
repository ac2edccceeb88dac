import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import type { Transaction } from '../../src/platform/postgres/connect.ts';
import { testOperator } from '../harness/actors.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cardAdhesionBody, signedAdhesion } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import {
  type Answer,
  call,
  startService,
  type TestService,
  testAccount,
} from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/** Two services on one database, each of which draws ids from a separate block. */
let first: TestService;
let second: TestService;
let otherKey: string;
beforeAll(async () => {
  first = await startService(withoutWorker);
  second = await startService({ ...withoutWorker, DATABASE_URL: first.databaseUrl });
  const { base } = first.service.parts;
  const acting = { ...base, actor: testOperator };
  const account = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, account);
  otherKey = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: account.id,
    name: 'test',
    permissions: ['read', 'write'],
    expiresAt: null,
    secret: null,
  });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Walks a growing list by the last id of each page, until `isOver` and nothing is left. */
async function walk(path: string, limit: number, isOver: () => boolean): Promise<number[]> {
  const seen: number[] = [];
  for (let turn = 0; ; turn += 1) {
    const wasOver = isOver();
    const last = seen.at(-1);
    const query = last === undefined ? `limit=${limit}` : `limit=${limit}&after=${last}`;
    const { origin } = turn % 2 === 0 ? first : second;
    const { status, text, body } = await call(origin, 'GET', `${path}?${query}`);
    expect(status, text).toBe(200);
    seen.push(...body.data.map(({ id }: { id: number }) => id));
    if (wasOver && body.data.length === 0) return seen;
  }
}

const createdIds = (answers: Answer[]): number[] =>
  answers.map(({ status, text, body }) => {
    expect(status, text).toBe(201);
    return body.id;
  });

const ascending = (ids: number[]): number[] => ids.toSorted((a, b) => a - b);

/** Starts four writers, two per process, each with sequential calls. */
async function write(path: string, body: () => unknown, callsEach: number): Promise<number[]> {
  const writers = [first, second, first, second].map(async ({ origin }) => {
    const answers: Answer[] = [];
    for (let n = 0; n < callsEach; n += 1) {
      answers.push(await call(origin, 'POST', path, { body: body() }));
    }
    return createdIds(answers);
  });
  return (await Promise.all(writers)).flat();
}

describe('a walk by last id while two processes create', () => {
  const bodies = (): Record<string, () => unknown> => ({
    '/payment-request': () => paymentRequestBody(first),
    '/adhesion': () => adhesionBody(),
    '/card-adhesion': () => cardAdhesionBody(),
  });

  test.each(['/payment-request', '/adhesion', '/card-adhesion'])(
    'misses and repeats nothing of %s',
    async (path) => {
      let over = false;
      const readers = [3, 100].map((limit) => walk(path, limit, () => over));
      const body = bodies()[path];
      const created = await write(path, () => body?.(), 40);
      over = true;
      for (const seen of await Promise.all(readers)) {
        expect(ascending(seen)).toEqual(ascending(created));
      }
    },
  );

  test('misses and repeats no debit', async () => {
    const adhesion = await signedAdhesion(first);
    let over = false;
    const reader = walk('/debit-request', 3, () => over);
    const writers = [first, second, first, second].map(async (service) => {
      const answers: Answer[] = [];
      for (let n = 0; n < 10; n += 1) answers.push(await createDebit(service, adhesion));
      return createdIds(answers);
    });
    const created = (await Promise.all(writers)).flat();
    over = true;
    expect(ascending(await reader)).toEqual(ascending(created));
  });
});

const create = async (service: TestService, key?: string): Promise<number> => {
  const options = { body: paymentRequestBody(service), ...(key !== undefined && { key }) };
  const { body } = await call(service.origin, 'POST', '/payment-request', options);
  return body.id;
};

const behind = async (after: number, key?: string): Promise<number[]> => {
  const path = `/payment-request?limit=100&after=${after}`;
  const { body } = await call(first.origin, 'GET', path, key === undefined ? {} : { key });
  return body.data.map(({ id }: { id: number }) => id);
};

/** Creates a request as a copy of another. */
const copy = (tx: Transaction, of: number, id: number) => tx`
  insert into requests (account_id, id, kind, state, version, created_at, payer, description, due1,
    total1, last_due, details, place)
  select account_id, ${id}::bigint, kind, state, version, created_at, payer, description, due1,
    total1, last_due, details, (select take_place('requests', array[account_id]))
  from requests where account_id = ${testAccount} and id = ${of}`;

test('hides newer rows until an older transaction that creates rows ends', async () => {
  const start = await create(first);
  const id = 900_000_001;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const hanging = first.sql.begin(async (tx) => {
    await copy(tx, start, id);
    begin();
    await held;
  });
  await begun;
  const later = await create(second);
  // It follows a position that the hanging transaction may still fill.
  expect(await behind(start)).toEqual([]);
  letGo();
  await hanging;
  expect(await behind(start)).toEqual([id, later]);
  expect(await behind(id)).toEqual([later]);
  expect(await behind(later)).toEqual([]);
});

test('shows an account its own new rows at once, despite another account’s hanging transaction', async () => {
  const start = await create(first, otherKey);
  const source = await create(first);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const hanging = first.sql.begin(async (tx) => {
    await copy(tx, source, 900_000_003);
    begin();
    await held;
  });
  await begun;
  const later = await create(second, otherKey);
  expect(await behind(start, otherKey)).toEqual([later]);
  letGo();
  await hanging;
});

test('refuses a cursor that is not the id of an item in the list', async () => {
  const foreign = await create(first, otherKey);
  const adhesion = await signedAdhesion(first);
  for (const [path, id] of [
    ['/payment-request', foreign],
    ['/payment-request', 999_999_999],
    ['/debit-request', await create(first)],
    ['/adhesion', 999_999_999],
    ['/card-adhesion', adhesion + 5_000_000],
  ] as const) {
    const { status, body } = await call(first.origin, 'GET', `${path}?after=${id}`);
    expect(status).toBe(400);
    expect(body.children.after.errors).toEqual([
      'This list has no item with this id. Send the id of the last item that you read, or 0 to start from the beginning.',
    ]);
  }
});
