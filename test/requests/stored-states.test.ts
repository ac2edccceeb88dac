import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBase } from '../../src/composition/base.ts';
import { createMoneyWing } from '../../src/composition/money.ts';
import { system } from '../../src/platform/actor.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Queryable, Sql } from '../../src/platform/postgres/connect.ts';
import { checkStoredStates } from '../../src/requests/audit.ts';
import { readRequests } from '../../src/requests/index.ts';
import { moveAll } from '../../src/requests/move-all.ts';
import { type Transition, transitions } from '../../src/requests/states.ts';
import { createTestDatabase } from '../harness/database.ts';
import { keepStates } from '../harness/request-states.ts';

/** Checks that both stored copies of a request's state agree. */

const account = 'A0000001';
const at = Temporal.Instant.from('2026-11-20T12:00:00Z');

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: Sql;
let lastId = 0;
let lastEvent = 1_000_000;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  await sql`
    insert into accounts (id, name, cuit, city, created_at)
    values (${account}, 'Cooperativa', '30999999995', 'Rosario', '2026-01-01')`;
});
afterAll(() => database?.drop());

const eventIds = (count: number): number[] =>
  Array.from({ length: count }, () => {
    lastEvent += 1;
    return lastEvent;
  });

async function store(kind: string, state: string, count = 1): Promise<number[]> {
  const ids = Array.from({ length: count }, (_unused, no) => lastId + no + 1);
  lastId += count;
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    select ${account}, id, ${kind}, ${state}, 1, '2026-11-01', 'Ana', 'Cuota', '2026-12-01', 100,
      '2026-12-01', '{}', 0
    from unnest(${ids}::bigint[]) as id`;
  await keepStates(sql);
  return ids;
}

interface Kept {
  kind: string;
  state: string;
  last_due: Temporal.PlainDate;
  written: string;
}

async function keptOf(id: number | undefined): Promise<Kept | undefined> {
  const [row] = await sql<Kept[]>`
    select kind, state, last_due, xmin::text || ctid::text as written from request_states
    where account_id = ${account} and id = ${id ?? 0}`;
  return row;
}

const disagreements = (): Promise<string[]> => checkStoredStates(sql, account);

const moves = Object.entries(transitions).flatMap(([kind, known]) =>
  Object.entries<Transition>(known).flatMap(([move, { from, to }]) =>
    from.map((state) => [kind, move, state, to] as const),
  ),
);

test.each(moves)(
  'stores the state of a %s after %s, from %s to %s',
  async (kind, move, from, to) => {
    const [id = 0] = await store(kind, from);
    const before = await keptOf(id);
    expect(before).toMatchObject({ kind, state: from });
    const terms = { kind, move, at, actor: system } as Parameters<typeof moveAll>[1];
    const moved = await moveAll(sql, {
      ...terms,
      accountId: account,
      ids: [id],
      eventIds: eventIds(1),
    });
    expect(moved).toEqual([id]);
    const after = await keptOf(id);
    expect(after?.state).toBe(to);
    // A move that keeps the state does not rewrite the row.
    if (from === to) expect(after?.written).toBe(before?.written);
    expect(await disagreements()).toEqual([]);
  },
);

async function recorder() {
  const { base, clocks } = await createBase(sql, createLog('silent'));
  const { recordFacts } = createMoneyWing(base);
  return async (ids: readonly number[], ref: string): Promise<string[]> => {
    const rows = await readRequests(
      sql,
      ids.map((id) => ({ accountId: account, id })),
    );
    const outcomes = await recordFacts(
      rows
        .filter((row) => row !== null)
        .map((request, no) => ({
          request,
          type: 'collected' as const,
          channel: 'non_banking' as const,
          label: 'Rapipago',
          amount: request.total1,
          paidAt: clocks.business.now(),
          source: 'rapipago',
          sourceRef: `${ref}:${no}`,
          actor: system,
          attemptId: null,
          details: {},
        })),
    );
    return outcomes.map(({ outcome }) => outcome);
  };
}

describe('payments', () => {
  test('stores paid once for two payments of a request in one batch, and rewrites nothing for a later one', async () => {
    const record = await recorder();
    const [id = 0] = await store('payment_request', 'pending');
    expect(await record([id, id], 'twice')).toEqual(['recorded', 'recorded']);
    const paid = await keptOf(id);
    expect(paid?.state).toBe('paid');
    expect(await record([id], 'again')).toEqual(['recorded']);
    expect(await keptOf(id)).toEqual(paid);
    expect(await disagreements()).toEqual([]);
  });

  test('keeps both copies consistent when payments race with other moves', async () => {
    const record = await recorder();
    const ids = await store('payment_request', 'pending', 40);
    const expire = (tx: Queryable) =>
      moveAll(tx, {
        kind: 'payment_request',
        move: 'expire',
        at,
        actor: system,
        accountId: account,
        ids,
        eventIds: eventIds(ids.length),
      });
    const back = (tx: Queryable) =>
      moveAll(tx, {
        kind: 'payment_request',
        move: 'refund',
        at,
        actor: system,
        accountId: account,
        ids,
        eventIds: eventIds(ids.length),
      });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        record(ids, `round ${round} a`),
        expire(sql),
        back(sql),
        record(ids.toReversed(), `round ${round} b`),
        back(sql),
      ]);
    }
    expect(await disagreements()).toEqual([]);
  });

  test('stores paid for a payment that waited for a concurrent refund', async () => {
    const record = await recorder();
    const [id = 0] = await store('payment_request', 'pending');
    await record([id], 'first');
    const one = { kind: 'payment_request', at, actor: system, accountId: account } as const;
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const refunding = sql.begin(async (tx) => {
      await moveAll(tx, { ...one, move: 'refund', ids: [id], eventIds: eventIds(1) });
      begin();
      await mayEnd;
    });
    await begun;
    // This payment starts while the request is paid, waits, and then finds it refunded.
    const again = record([id], 'second');
    await waiting();
    end();
    await Promise.all([refunding, again]);
    expect((await keptOf(id))?.state).toBe('paid');
    expect(await disagreements()).toEqual([]);
  });
});

/** Waits until a statement waits for another's lock. */
const waiting = (of: Sql = sql): Promise<void> =>
  vi.waitFor(async () => {
    const [row] = await of<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    expect(row?.count).toBeGreaterThan(0);
  });

test('reports in the audit a request whose stored state is different, missing or superfluous', async () => {
  const [other = 0, lacking = 0] = await store('payment_request', 'pending', 2);
  await sql`
    update request_states set last_due = '2027-01-01'
    where account_id = ${account} and id = ${other}`;
  await sql`delete from request_states where account_id = ${account} and id = ${lacking}`;
  await sql`
    insert into request_states values (${account}, 999999, 'qr', 'pending', '2026-12-01', 0)`;
  expect(await disagreements()).toEqual([
    `request ${other} differs from its row in request_states: pending`,
    `request ${lacking} has no row in request_states`,
    'request_states has request 999999, which does not exist',
  ]);
});
