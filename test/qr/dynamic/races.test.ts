import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { callerOf, eventsOf, full, itemOf } from '../../harness/builders/qrs.ts';
import { type Answer, startService, type TestService, testAccount } from '../../harness/service.ts';

/** Two services on one database, which stand for two processes. */
let first: TestService;
let second: TestService;
let callers: ReturnType<typeof callerOf>[];
beforeAll(async () => {
  first = await startService({ ROLES: 'payments,qr' });
  second = await startService({ ROLES: 'payments,qr', DATABASE_URL: first.databaseUrl });
  callers = [callerOf(first), callerOf(first, second.origin)];
});
afterAll(async () => {
  expect(await auditAccount(first.sql, testAccount)).toEqual([]);
  await second.stop();
  await first.stop();
});

const caller = (turn: number) => callers[turn % 2] as ReturnType<typeof callerOf>;

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).toSorted();

const items = (prefix: string, size: number, fields: Record<string, unknown> = {}) =>
  Array.from({ length: size }, (_none, index) => itemOf(first, `${prefix}${index}`, fields));

const times = <T>(count: number, make: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, turn) => make(turn)));

const save = async (data: Record<string, unknown>[]): Promise<void> => {
  expect((await caller(0).save(data)).status).toBe(201);
};

describe('calls that race in two processes', () => {
  test('lets exactly one of a payment and a deletion win', async () => {
    const rounds = 30;
    await save(items('duel', rounds));
    const results = await times(rounds, async (turn) => {
      const id = `duel${turn}`;
      const calls = [() => caller(turn).pay(id), () => caller(turn + 1).remove(id)];
      const answers = await Promise.all((turn % 3 ? calls : calls.toReversed()).map((go) => go()));
      expect(statusesOf(answers)).toEqual([200, 409]);
      const { body } = await caller(turn).status(id);
      const paid = answers.some(({ body: one }) => one.code === 'H007');
      expect(body.status).toBe(paid ? 'Paid' : 'Deleted');
      expect('request_id' in body).toBe(paid);
    });
    expect(results).toHaveLength(rounds);
  });

  test('charges the QR’s old or new amount for a payment during an edit', async () => {
    const rounds = 20;
    const data = items('edit', rounds, { first_total: 100 });
    await save(data);
    await times(rounds, async (turn) => {
      const id = `edit${turn}`;
      const [paid, edited] = await Promise.all([
        caller(turn).pay(id),
        caller(turn + 1).edit(id, { ...data[turn], first_total: 200 }),
      ]);
      const { body } = await caller(turn).status(id);
      expect(body.first_total).toBe(edited.status === 200 ? 200 : 100);
      const rows = await first.sql<{ amount: number }[]>`
        select x.amount from results x join requests r
          on r.account_id = x.account_id and r.id = x.request_id
        where r.code = ${full(id)}`;
      expect(rows.map(({ amount }) => amount)).toEqual(
        paid.status === 200 ? [Math.round(body.first_total * 100)] : [],
      );
    });
  });

  test('collects once on a single-payment QR, and each time on a multi-payment one', async () => {
    await save([itemOf(first, 'once'), itemOf(first, 'often', { multiple_payment: true })]);
    const once = await times(8, (turn) => caller(turn).pay('once'));
    expect(once.filter(({ status }) => status === 200)).toHaveLength(1);
    const often = await times(8, (turn) => caller(turn).pay('often'));
    expect(often.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await caller(0).status('often')).body.payments).toBe(8);
  });

  test('saves one of two batches with the same ids completely, and refuses the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const mine = items(`batch${round}x`, 60);
      const theirs = [...items(`own${round}x`, 40), ...mine.slice(20)].toReversed();
      const answers = await Promise.all([caller(0).save(mine), caller(1).save(theirs)]);
      expect(statusesOf(answers)).toEqual([201, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body.code).toBe('H104');
      expect(refused?.body.errors).toHaveLength(40);
      const [row] = await first.sql<{ count: number }[]>`
        select count(*)::int as count from requests
        where code like ${full(`batch${round}x%`)} or code like ${full(`own${round}x%`)}`;
      expect(row?.count).toBe(answers[0]?.status === 201 ? 60 : 80);
    }
  });

  test('saves each id once, and refuses the rest without a 500', async () => {
    const answers = await times(60, (turn) =>
      caller(turn).save([itemOf(first, `single${turn % 6}`)]),
    );
    expect(statusesOf(answers)).toEqual([
      ...Array.from({ length: 6 }, () => 201),
      ...Array.from({ length: 54 }, () => 409),
    ]);
  });

  test('saves once for one Idempotency-Key and body, and gives both calls the same answer', async () => {
    for (const size of [1, 20]) {
      const data = items(`key${size}x`, size);
      const headers = { 'idempotency-key': `race ${size}` };
      const answers = await Promise.all([
        caller(0).save(data, headers),
        caller(1).save(data, headers),
      ]);
      expect(statusesOf(answers)).toEqual([201, 201]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
      const replays = answers.filter(({ headers: h }) => h.has('idempotency-replayed'));
      expect(replays).toHaveLength(1);
    }
  });

  test('never deadlocks or loses an event in batches over the same QRs', async () => {
    const data = items('mass', 100);
    await save(data);
    const answers = await times(12, (turn) =>
      turn === 7
        ? caller(turn).removeMany(data.map(({ id }) => id))
        : caller(turn).editMany(turn % 2 ? data : data.toReversed()),
    );
    const removed = answers[7];
    expect(removed?.status).toBe(200);
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('H105');
    const edits = answers.filter(({ body }) => body.code === 'H005').length;
    const versions = (await eventsOf(first, 'mass42')).map(({ version }) => version);
    // The batch has its own event, so the QR's events start with its second version.
    expect(versions).toEqual(Array.from({ length: edits + 1 }, (_none, at) => at + 2));
  });
});
