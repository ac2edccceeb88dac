import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/platform/postgres/connect.ts';
import { idBlocks } from '../../src/platform/postgres/id-blocks.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openPrimary, openStandby, type TestServer } from '../harness/standby.ts';

let primary: TestServer;
let standby: TestServer;
let service: TestService;

/** Returns an address of both servers. */
function both(url: string, servers = [primary, standby]): string {
  const address = new URL(url);
  const ports = servers.map(({ server }) => new URL(server.url).port);
  address.searchParams.set('host', '127.0.0.1,127.0.0.1');
  address.searchParams.set('port', ports.join(','));
  return address.href;
}

beforeAll(async () => {
  primary = await openPrimary();
  // Migrates and seeds the primary, so that the standby has the account.
  const first = await startService({
    DATABASE_URL: primary.server.url,
    DATABASE_OWNER_URL: primary.server.ownerUrl,
  });
  await first.stop();
  standby = await openStandby(primary);
  service = await startService({
    DATABASE_URL: both(primary.server.url),
    DATABASE_OWNER_URL: both(primary.server.ownerUrl),
  });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await standby?.close();
  await primary?.close();
});

test.each(['primary', 'standby'])('finds the primary if the %s is listed first', async (first) => {
  const servers = first === 'primary' ? [primary, standby] : [standby, primary];
  const sql = connect(both(primary.server.url, servers), { max: 1, applicationName: 'test' });
  try {
    const [port] = await sql`show port`;
    expect(port).toEqual({ port: new URL(primary.server.url).port });
  } finally {
    await sql.end();
  }
});

test('fails to connect, and says that no server accepts writes, if all are standbys', async () => {
  const sql = connect(both(primary.server.url, [standby, standby]), {
    max: 1,
    applicationName: 'test',
  });
  try {
    await expect(sql`select 1`).rejects.toMatchObject({
      code: '25006',
      message: 'No server accepts writes.',
    });
  } finally {
    await sql.end();
  }
});

/** A sequence logs 32 draws ahead, so a standby lacks those of the 33rd that it missed. */
const manyDraws = 40;
const manyIds = 1000 * manyDraws;

/** Creates and pays a request. Returns its id once the feed has its payment after a position. */
async function paidAfter(position: number): Promise<{ id: number; next: number }> {
  const body = paymentRequestBody(service);
  const { body: created } = await service.call('POST', '/payment-request', { body });
  const paid = await service.call('POST', `/sandbox/pay/${created.id}`, { body: {} });
  expect(paid.status).toBe(200);
  const path = `/event?type=payment_request.paid&entity_id=${created.id}&after=${position}`;
  let next = position;
  await expect
    .poll(async () => {
      const { body: page } = await service.call('GET', path);
      next = page.next;
      return page.data;
    })
    .toMatchObject([{ entity_id: created.id }]);
  return { id: created.id, next };
}

test('continues on a promoted standby without a restart, and repeats no id or position', async () => {
  const body = paymentRequestBody(service);
  const created = await service.call('POST', '/payment-request', { body });
  expect(created.status).toBe(201);
  // The commit may not be written yet: `synchronous_commit` is off.
  const [{ at } = {}] = await primary.run('select pg_current_wal_insert_lsn()::text as at');
  await expect
    .poll(() => standby.run(`select pg_last_wal_replay_lsn() >= '${at}' as has`))
    .toEqual([{ has: true }]);

  // The standby receives no more log.
  await standby.run(`alter system set primary_conninfo = ''`);
  await standby.run('select pg_reload_conf()');
  await expect.poll(() => standby.run('select pid from pg_stat_wal_receiver')).toEqual([]);
  const terms = { max: 1, applicationName: 'test' };
  const pools = [1, 2, 3].map(() => connect(both(primary.server.url), terms));
  const allocators = pools.map((sql) => idBlocks(sql, 'request_ids'));
  // The first draws only after the failover, like a process that restarts.
  const [, ...running] = allocators;
  const before = await Promise.all(running.map((ids) => ids.take(manyIds)));
  let position = 0;
  for (let count = 0; count < manyDraws; count += 1) position = (await paidAfter(position)).next;

  await primary.kill();
  // Its sessions outlive it for a moment.
  await expect
    .poll(async () => (await service.call('POST', '/payment-request', { body })).status)
    .toBe(503);

  await standby.run('select pg_promote()');
  await expect
    .poll(async () => (await service.call('POST', '/payment-request', { body })).status)
    .toBe(201);
  const read = await service.call('GET', `/payment-request/${created.body.id}`);
  expect(read.status).toBe(200);
  expect((await paidAfter(position)).next).toBeGreaterThan(position);

  try {
    const after = await Promise.all(allocators.map((ids) => ids.take(manyIds)));
    const all = [...before, ...after].flat();
    expect(new Set(all).size).toBe(all.length);
  } finally {
    await Promise.all(pools.map((sql) => sql.end()));
  }
});
