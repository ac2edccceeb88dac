import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readPrimary } from '../../src/platform/replica/reads.ts';
import { json } from '../../src/reports/formats.ts';
import { createReportReader } from '../../src/reports/index.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { store } from './rows.ts';

/** More rows than one read, and more bytes than the sockets buffer. */
const many = 8_000;
const day = '2003-02-01';
/** Allows two concurrent long reports, one per account. */
const limits = { DATABASE_POOL: '8' };

let service: TestService;
beforeAll(async () => {
  service = await startService({ ...withoutWorker, ...limits });
  await store(
    service.sql,
    { accountId: testAccount, day },
    Array.from({ length: many }, (_unused, index) => ({
      amount: 1_000 + index,
      netFee: index % 50,
      feeIva: index % 10,
      reference: index % 3 === 0 ? null : `contract-${index}`,
      description: 'Cuota de diciembre, plan anual, con todo lo que hay que decir de ella. '.repeat(
        60,
      ),
    })),
  );
});
afterAll(() => service.stop());

/** Opens a report and reads only its first bytes. */
function slowly(path = `/report/collection/${day}`): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(
      `${service.origin}${path}`,
      { headers: { authorization: `Bearer ${testKey}` }, agent: false },
      resolve,
    ).once('error', reject);
  });
}

/** Returns the service's pool, because no other role can see or end its connections. */
const own = () => service.service.parts.base.sql;

/** Returns the connections that hold a snapshot for a report. */
async function snapshots(): Promise<number[]> {
  const rows = await own()<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and application_name = 'recaudo serve' and query like 'copy %'`;
  return rows.map(({ pid }) => pid);
}

const noneLeft = () => vi.waitFor(async () => expect(await snapshots()).toEqual([]), 5_000);

describe('a long day', () => {
  test('returns all rows of a long day once, in order, with exactly their totals', async () => {
    const { status, body } = await service.call('GET', `/report/collection/${day}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(many);
    const ids = body.data.map((item: { request_id: number }) => item.request_id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
    expect(new Set(ids).size).toBe(many);
    const [sums] = await service.sql<{ paid: number; fees: number }[]>`
      select sum(amount)::bigint as paid, sum(net_fee + fee_iva)::bigint as fees from results
      where informed_on = ${day}::text::date`;
    expect(Math.round(body.total_collected * 100)).toBe(sums?.paid);
    expect(Math.round(body.total_gross_fee * 100)).toBe(sums?.fees);
    await noneLeft();
  });

  test('returns a CSV line per row of a long day', async () => {
    const { text } = await service.call('GET', `/report/collection/${day}`, {
      headers: { accept: 'text/csv' },
    });
    expect(text.split('\r\n')).toHaveLength(many + 2);
  });

  test('reads a snapshot that excludes later writes', async () => {
    const slow = await slowly();
    await store(service.sql, { accountId: testAccount, day, from: many + 1 }, [
      { amount: 5_000_000 },
    ]);
    const { data, total_collected } = JSON.parse(await textOf(slow));
    expect(data).toHaveLength(many);
    const again = (await service.call('GET', `/report/collection/${day}`)).body;
    expect(again.data).toHaveLength(many + 1);
    expect(again.total_collected).toBeCloseTo(total_collected + 50_000, 2);
  });
});

describe('a stalled reader', () => {
  test('keeps a connection for a stalled reader only until it disconnects', async () => {
    const slow = await slowly();
    await vi.waitFor(async () => expect(await snapshots()).toHaveLength(1));
    slow.destroy();
    await noneLeft();
  });

  test('refuses the account of a stalled reader another long report, and asks it to retry', async () => {
    const slow = await slowly();
    const refused = await service.call('GET', `/report/collection/${day}`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body.error_code).toBe('report.account_busy');
    // Short reports and other calls are unaffected.
    expect((await service.call('GET', '/report/refund/01-02-2003')).status).toBe(200);
    expect((await service.call('GET', '/account/balances')).status).toBe(200);
    slow.destroy();
    await noneLeft();
    expect((await service.call('GET', `/report/collection/${day}`)).status).toBe(200);
  });

  const pace = { everyMs: 200, bytes: 100_000 };
  const scope = { accountId: testAccount, day: Temporal.PlainDate.from(day) };
  const streamOf = async (read: ReturnType<typeof createReportReader>) => {
    const { content } = await read({ name: 'collection', scope, format: json });
    if (typeof content === 'string') throw new Error('not streamed');
    return content;
  };

  test('aborts a reader who stalls, or reads only a byte now and then', async () => {
    const read = createReportReader(readPrimary(service.sql), { atOnce: 1, pace });
    const stalled = await streamOf(read);
    const failure = new Promise<Error>((resolve) => stalled.once('error', resolve));
    stalled.once('readable', () => {});
    expect((await failure).message).toContain('stopped reading');

    const slow = await vi.waitFor(() => streamOf(read));
    const cut = new Promise<Error>((resolve) => slow.once('error', resolve));
    slow.on('readable', () => slow.read(1));
    const sip = setInterval(() => slow.read(1), 10);
    expect((await cut).message).toContain('too slowly');
    clearInterval(sip);
  });

  test('sends the whole report to a steady reader, however long it takes', async () => {
    const content = await streamOf(
      createReportReader(readPrimary(service.sql), { atOnce: 1, pace }),
    );
    let bytes = 0;
    for await (const chunk of content) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(1_000_000);
  });
});

test('sends a truncated answer, never well-formed JSON, if the database fails midway', async () => {
  const slow = await slowly();
  const received: Buffer[] = [];
  const ended = new Promise<string>((resolve) => {
    slow.once('end', () => resolve('ended'));
    slow.once('error', () => resolve('cut'));
  });
  await vi.waitFor(async () => expect(await snapshots()).toHaveLength(1));
  for (const pid of await snapshots()) await own()`select pg_terminate_backend(${pid})`;
  slow.on('data', (bytes: Buffer) => received.push(bytes));
  expect(await ended).toBe('cut');
  expect(() => JSON.parse(Buffer.concat(received).toString())).toThrow(SyntaxError);
  await noneLeft();
  expect((await service.call('GET', `/report/collection/${day}`)).status).toBe(200);
});

test('leaves no open snapshot when many readers share reports and some disconnect', async () => {
  const crowd = Array.from({ length: 6 }, async (_unused, index) => {
    const one = await slowly();
    if (one.statusCode === 503) return void one.resume();
    if (index % 2 === 0) return void one.destroy();
    expect(JSON.parse(await textOf(one)).data.length).toBeGreaterThanOrEqual(many);
  });
  await Promise.all(crowd);
  await noneLeft();
});
