import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
});
afterAll(() => service.stop());

interface Stored {
  id: number;
  state: string;
  state_comment: string | null;
}

/** Returns the latest requests, newest first. */
const made = (count: number) => service.sql<Stored[]>`
  select id, state, state_comment from requests order by id desc limit ${count}`;

const imported = async (count: number) => {
  const { import: one } = await desk.upload(desk.members(count));
  await desk.confirm(one);
  return await desk.until(one.id, 'completed');
};

test('withdraws an import’s unpaid requests, and names the user', async () => {
  const one = await imported(4);
  const [last] = await made(1);
  await service.call('POST', `/sandbox/pay/${last?.id}`);
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  expect(await desk.until(one.id, 'undone')).toMatchObject({ created: 4, withdrawn: 3 });
  const rows = await made(4);
  const comment = `Withdrawn by ana@example.com: import ${one.id} was undone.`;
  expect(rows.map(({ state, state_comment }) => [state, state_comment])).toEqual([
    ['paid', null],
    ['expired', comment],
    ['expired', comment],
    ['expired', comment],
  ]);
  const [event] = await service.sql`
    select actor, data->>'state_comment' as comment from events
    where type = 'payment_request.expired' order by id desc limit 1`;
  expect(event).toEqual({ actor: 'user:7', comment });
  expect((await desk.result(one.id)).match(/,withdrawn,/g)).toHaveLength(3);
  await expect(desk.confirm(await desk.imports.get(staff, one.id))).rejects.toThrow(/is undone/);
});

test('lets either the undo or a concurrent payment win for each request', async () => {
  const count = 24;
  const one = await imported(count);
  const rows = await made(count);
  const pays = rows.map(({ id }) =>
    service.call('POST', `/sandbox/pay/${id}`, {
      body: { channel: 'credit_card', card_number: '4507990000004905' },
    }),
  );
  await pays[0];
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  const answers = await Promise.all(pays);
  const undone = await desk.until(one.id, 'undone');
  const after = await made(count);
  const paid = after.filter(({ state }) => state === 'paid').length;
  expect(paid).toBe(answers.filter(({ status }) => status === 200).length);
  expect(paid).toBeGreaterThan(0);
  expect(paid + after.filter(({ state }) => state === 'expired').length).toBe(count);
  // A request withdrawn during its payment is still paid.
  expect(undone.withdrawn).toBeGreaterThanOrEqual(count - paid);
});

test('records offline money that arrives after an undo', async () => {
  const one = await imported(1);
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  await desk.until(one.id, 'undone');
  const [row] = await made(1);
  const { status } = await service.call('POST', `/sandbox/pay/${row?.id}`);
  expect([status, (await made(1))[0]?.state]).toEqual([200, 'paid']);
});

test('stops a running import, and withdraws what it had created', async () => {
  const { import: one } = await desk.upload(desk.members(2_000));
  await desk.confirm(one);
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  const undone = await desk.until(one.id, 'undone');
  expect(undone.created).toBeLessThanOrEqual(2_000);
  expect(undone.withdrawn).toBe(undone.created);
  const [row] = await service.sql`
    select count(*)::int as live from requests where state = 'pending'`;
  expect(row).toEqual({ live: 0 });
});
