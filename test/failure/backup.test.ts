import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRecaudo, startServing } from '../cli/run.ts';
import { call } from '../harness/service.ts';
import { type BackupDesk, openBackupDesk } from './backups.ts';
import { bodyOf } from './callers.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const soon = { timeout: 120_000, interval: 100 };

let desk: BackupDesk;
beforeAll(async () => {
  desk = await openBackupDesk();
});
afterAll(() => desk?.close());

const reachedBy = async (moment: Temporal.Instant): Promise<void> => {
  await vi.waitFor(async () => {
    const { stdout } = await desk.run('backup', 'list');
    const [, reached = ''] = /the log reaches (\S+)/.exec(stdout) ?? [];
    const isBehind = Temporal.Instant.compare(Temporal.Instant.from(reached), moment) < 0;
    expect(isBehind).toBe(false);
  }, soon);
};

interface Acknowledged {
  id: number;
  at: Temporal.Instant;
}

test('restores the traffic acknowledged by a given moment, with books that add up', async () => {
  const service = await startServing(desk.env);
  const running = startRecaudo(['backup', 'run'], { ...desk.env, LOG_LEVEL: 'info' });
  const closed = once(running.child, 'close');
  await vi.waitFor(() => expect(running.ran.stderr).toContain('restored and adds up'), soon);

  const ledger: Acknowledged[] = [];
  const create = async (): Promise<void> => {
    const body = bodyOf(String(ledger.length));
    const created = await call(service.origin, 'POST', '/payment-request', { body });
    expect(created.status).toBe(201);
    await call(service.origin, 'POST', `/sandbox/pay/${created.body.id}`, { body: {} });
    ledger.push({ id: created.body.id, at: Temporal.Now.instant() });
  };
  for (let count = 0; count < 40; count += 1) await create();
  const at = Temporal.Now.instant();
  for (let count = 0; count < 40; count += 1) await create();
  await reachedBy(at);
  running.child.kill('SIGKILL');
  await closed;
  const killed = Temporal.Now.instant();
  await service.end('SIGTERM');

  const doctor = await desk.run('doctor', '--json');
  const found: { what: string; state: string; found: string }[] = JSON.parse(doctor.stdout);
  expect(found.find(({ what }) => what === 'backups')).toMatchObject({
    state: 'ok',
    found: expect.stringContaining('restored and audited'),
  });

  const to = path.join(desk.folder, 'then');
  const ran = await desk.run('restore', '--to', to, '--at', String(at), '--json');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ faults: [], accounts: 1 });
  const rows = await desk.restored(to, async (sql) => ({
    ids: (await sql<{ id: number }[]>`select id from requests`).map(({ id }) => id),
    results: (await sql<{ id: number }[]>`select request_id as id from results`).map(
      ({ id }) => id,
    ),
    next: await sql<{ ids: number; positions: number }[]>`
      select r.last_value as ids, p.last_value as positions
      from request_ids r, event_positions p`,
  }));
  const isLater = (one: Acknowledged) => Temporal.Instant.compare(one.at, at) > 0;
  const before = ledger.filter((one) => !isLater(one)).map(({ id }) => id);
  const after = ledger.filter(isLater).map(({ id }) => id);
  expect(before).toHaveLength(40);
  expect(rows.ids).toEqual(expect.arrayContaining(before));
  expect(rows.results).toEqual(expect.arrayContaining(before));
  expect(rows.ids.filter((id) => after.includes(id))).toEqual([]);
  expect(rows.next[0]?.ids).toBeGreaterThan(1_000_000);
  expect(rows.next[0]?.positions).toBeGreaterThan(100_000_000);

  // A restore into a non-empty folder changes nothing.
  const again = await desk.run('restore', '--to', to);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });

  const last = path.join(desk.folder, 'last');
  expect(await desk.run('restore', '--to', last)).toMatchObject({ code: 0 });
  const kept = await desk.restored(last, (sql) => sql<{ id: number }[]>`select id from requests`);
  const ids = new Set(kept.map(({ id }) => id));
  const lost = ledger.filter(({ id }) => !ids.has(id)).map((one) => one.at.until(killed));
  for (const age of lost) expect(age.total('seconds')).toBeLessThan(5);

  const late = await desk.run('restore', '--to', `${to}-late`, '--at', '2100-01-01T00:00:00Z');
  expect(late).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The stored log is not known to reach beyond'),
  });
  const early = await desk.run('restore', '--to', `${to}-early`, '--at', '2000-01-01T00:00:00Z');
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('none before') });
});
