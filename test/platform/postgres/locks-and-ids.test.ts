import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withAdvisoryLock } from '../../../src/platform/postgres/advisory-lock.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { sentStatements } from '../../../src/platform/postgres/connection.ts';
import { deadlines } from '../../../src/platform/postgres/deadlines.ts';
import { idBlocks } from '../../../src/platform/postgres/id-blocks.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  sql = database.sql;
  await sql`create sequence request_ids as bigint increment by 1000`;
  await sql`create sequence record_ids as bigint increment by 1`;
  await sql`create sequence adhesion_ids as bigint increment by 1000`;
  await sql`create sequence card_adhesion_ids as bigint increment by 1000`;
  await sql`create sequence event_positions as bigint`;
  await sql`create table id_timeline (only_row boolean primary key default true, timeline integer)`;
  await sql`insert into id_timeline (timeline) values (1)`;
});
afterAll(() => database.drop());

describe('advisory locks', () => {
  test('grants an exclusive lock to one holder at a time, and refuses a caller that does not wait', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const first = withAdvisoryLock(sql, 'one', { mode: 'exclusive', wait: true }, async () => {
      entered.resolve();
      await leave.promise;
      return 'first';
    });
    await entered.promise;
    const take = (key: string, mode: 'exclusive' | 'shared') =>
      withAdvisoryLock(sql, key, { mode, wait: false }, async () => 'taken');
    expect(await take('one', 'exclusive')).toBeNull();
    expect(await take('one', 'shared')).toBeNull();
    expect(await take('another', 'exclusive')).toBe('taken');
    let waited = false;
    const second = withAdvisoryLock(sql, 'one', { mode: 'exclusive', wait: true }, async () => {
      waited = true;
      return 'second';
    });
    expect(waited).toBe(false);
    leave.resolve();
    expect(await first).toBe('first');
    expect(await second).toBe('second');
  });

  test('lets shared lock holders coexist', async () => {
    const inner = await withAdvisoryLock(sql, 'two', { mode: 'shared', wait: true }, () =>
      withAdvisoryLock(sql, 'two', { mode: 'shared', wait: false }, async () => 'both'),
    );
    expect(inner).toBe('both');
  });

  test('releases the lock of a failed run, and rolls its transaction back', async () => {
    const failing = withAdvisoryLock(
      sql,
      'three',
      { mode: 'exclusive', wait: true },
      async (transaction) => {
        await transaction`create table lost (n int)`;
        throw new Error('on purpose');
      },
    );
    await expect(failing).rejects.toThrow('on purpose');
    const again = withAdvisoryLock(sql, 'three', { mode: 'exclusive', wait: false }, async () => 1);
    expect(await again).toBe(1);
    const [row] = await sql`select to_regclass('lost') as lost`;
    expect(row?.lost).toBeNull();
  });

  test('survives a short idle_in_transaction_session_timeout on the server', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await sql.unsafe(`alter database ${name} set idle_in_transaction_session_timeout = '50ms'`);
    const fresh = connect(database.url, { max: 2, applicationName: 'test' });
    try {
      const slept = withAdvisoryLock(fresh, 'four', { mode: 'exclusive', wait: true }, async () => {
        await fresh`select pg_sleep(0.3)`;
        return 'slept';
      });
      expect(await slept).toBe('slept');
    } finally {
      await fresh.end();
      await sql.unsafe(`alter database ${name} reset all`);
    }
  });

  test('pings the server while the holder works elsewhere', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const heard: unknown[] = [];
    const hear = (text: unknown): void => void heard.push(text);
    sentStatements.subscribe(hear);
    try {
      await withAdvisoryLock(sql, 'five', { mode: 'exclusive', wait: true }, async () => {
        heard.length = 0;
        vi.advanceTimersByTime(deadlines.hungMs);
        await vi.waitFor(() => expect(heard).toContain('select 1'));
      });
      const beats = heard.filter((text) => text === 'select 1');
      expect(beats).toHaveLength(deadlines.hungMs / deadlines.heartbeatMs);
    } finally {
      sentStatements.unsubscribe(hear);
      vi.useRealTimers();
    }
  });

  test('releases the lock of an unresponsive process, and fails its call', async () => {
    const lock = { mode: 'exclusive', wait: true } as const;
    const hung = withAdvisoryLock(sql, 'six', lock, async (transaction) => {
      // Shortens the server's timeout, which is two minutes in reality.
      await transaction`select set_config('idle_in_transaction_session_timeout', '50', true)`;
      return await withAdvisoryLock(sql, 'six', lock, async () => 'taken');
    });
    await expect(hung).rejects.toMatchObject({ name: 'DatabaseAway' });
    const free = withAdvisoryLock(sql, 'six', { ...lock, wait: false }, async () => 'taken');
    expect(await free).toBe('taken');
  });
});

test('sets the server’s timeouts for sessions that hang in a write and for lost machines', async () => {
  const settings = `
    select name, setting from pg_settings where name in
      ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_user_timeout')
    order by name`;
  const set = (idle: number) => [
    { name: 'idle_in_transaction_session_timeout', setting: String(idle) },
    { name: 'tcp_keepalives_idle', setting: '30' },
    { name: 'tcp_user_timeout', setting: String(deadlines.hungMs) },
  ];
  expect(await sql.begin((tx) => tx.unsafe(settings))).toEqual(set(deadlines.hungMs));
  expect(await sql.begin('read only', (tx) => tx.unsafe(settings))).toEqual(set(0));
  const lock = { mode: 'shared', wait: true } as const;
  const locked = withAdvisoryLock(sql, 'seven', lock, (tx) => tx.unsafe(settings));
  expect(await locked).toEqual(set(deadlines.hungMs));
});

describe('id blocks', () => {
  test('never repeats ids for concurrent callers and several processes', async () => {
    const allocators = [1, 2, 3].map(() => idBlocks(sql, 'request_ids'));
    const taken = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const allocator = allocators[index % 3];
        return index % 5 === 0
          ? allocator?.take((index * 37) % 2500)
          : allocator?.next().then((id) => [id]);
      }),
    );
    const all = taken.flatMap((ids) => ids ?? []);
    expect(new Set(all).size).toBe(all.length);
    taken.forEach((ids, index) => {
      expect(ids?.length).toBe(index % 5 === 0 ? (index * 37) % 2500 : 1);
      expect(ids).toEqual([...(ids ?? [])].sort((a, b) => a - b));
    });
  });

  test('shares one refill among concurrent callers, and serves a thousand ids per block', async () => {
    const position = async () => {
      const [row] = await sql<{ last: number }[]>`select last_value as last from request_ids`;
      return row?.last ?? 0;
    };
    const ids = idBlocks(sql, 'request_ids');
    const before = await position();
    await Promise.all(Array.from({ length: 1000 }, () => ids.next()));
    expect(await position()).toBe(before + 1000);
    await ids.next();
    expect(await position()).toBe(before + 2000);
  });

  test('skips a million ids once on a new timeline, for all sequences and processes', async () => {
    const positions = () => sql<{ requests: number; adhesions: number }[]>`
      select r.last_value as requests, a.last_value as adhesions
      from request_ids r, adhesion_ids a`;
    const [before] = await positions();
    if (before === undefined) throw new Error('no position');
    await sql`update id_timeline set timeline = 7`;
    await Promise.all([1, 2, 3].map(() => idBlocks(sql, 'request_ids').next()));
    const [after] = await positions();
    expect(after?.requests).toBe(before.requests + 1_003_000);
    expect(after?.adhesions).toBeGreaterThanOrEqual(before.adhesions + 999_000);
    expect(after?.adhesions).toBeLessThanOrEqual(before.adhesions + 1_000_000);
  });

  test('refuses a sequence whose step is not the block size, before an id repeats', async () => {
    await expect(idBlocks(sql, 'record_ids').next()).rejects.toThrow('increment by 1000');
  });

  test('fails the callers of a failed refill, and retries for the next one', async () => {
    const ids = idBlocks(sql, 'record_ids');
    const results = await Promise.allSettled([ids.next(), ids.take(5)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await sql`alter sequence record_ids increment by 1000`;
    expect(await ids.take(3)).toHaveLength(3);
    await sql`alter sequence record_ids increment by 1`;
  });

  test('returns no ids if none are requested', async () => {
    expect(await idBlocks(sql, 'request_ids').take(0)).toEqual([]);
  });
});
