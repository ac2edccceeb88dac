import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test, vi } from 'vitest';
import { openEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { DatabaseAway, isConnectionFailure } from '../../../src/platform/errors.ts';
import { freePort } from '../../../src/platform/http/free-port.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { createTestDatabase } from '../../harness/database.ts';
import { openProxy } from '../../harness/proxy.ts';
import { killServer, serverPid } from './embedded-tools.ts';

// An exception outside of any caller, such as in a timer, fails the whole run.

vi.setConfig({ testTimeout: 120_000 });

const connections = 6;

/** A counter, which reveals answers that reach the wrong caller. */
let last = 0;
const ask = async (sql: Pick<Sql, 'unsafe'>): Promise<void> => {
  last += 1;
  const own = last;
  const [row] = await sql.unsafe('select $1::int as own', [own], { prepare: true });
  if (row?.own !== own) throw new Error(`${own} was answered with ${row?.own}`);
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The kinds of work that a service does with its pool. */
const kinds: ((sql: Sql) => Promise<unknown>)[] = [
  ask,
  (sql) => Promise.all([ask(sql), ask(sql), ask(sql)]),
  (sql) => sql`select pg_sleep(0.005)`,
  (sql) => sql.begin((tx) => ask(tx)),
  (sql) =>
    sql.begin(async (tx) => {
      await ask(tx);
      await pause(3);
      await ask(tx);
    }),
  (sql) =>
    sql.begin(async (tx) => {
      await ask(tx).catch(() => {});
      await ask(tx).catch(() => {});
      await ask(tx);
    }),
  (sql) =>
    sql.begin(async (tx) => {
      await ask(tx);
      await ask(sql).catch(() => {
        throw new DatabaseAway('CONNECTION_ENDED', 'something else', 'nothing done');
      });
    }),
  async (sql) => {
    for await (const _rows of sql`select generate_series(1, 20)`.cursor(5)) await pause(1);
  },
  (sql) =>
    sql.begin(async (tx) => {
      await tx`create temporary table copied (n int) on commit drop`;
      const rows = Array.from({ length: 50 }, (_, n) => `${n}\n`);
      await pipeline(Readable.from(rows), await tx`copy copied from stdin`.writable());
    }),
];

interface Load {
  /**
   * Resolves when all running calls have ended. Returns the errors that the cut does not explain.
   */
  stop(): Promise<unknown[]>;
}

/** Repeats every kind of work without a pause, even at the moment when one fails. */
function startLoad(sql: Sql): Load {
  let going = true;
  const strange: unknown[] = [];
  const client = async (work: (sql: Sql) => Promise<unknown>): Promise<void> => {
    while (going) {
      try {
        await work(sql);
      } catch (error) {
        if (!isConnectionFailure(error)) strange.push(error);
        if (strange.length > 10) return;
      }
    }
  };
  const clients = kinds.map(client);
  return {
    async stop() {
      going = false;
      await Promise.all(clients);
      return strange;
    },
  };
}

/**
 * Checks that every connection of the pool works: a transaction holds each until all are in use.
 */
async function expectWhole(sql: Sql): Promise<void> {
  let held = 0;
  const all = Promise.withResolvers<void>();
  const holdOne = (): Promise<unknown> =>
    sql.begin(async (tx) => {
      await ask(tx);
      held += 1;
      if (held === connections) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: connections }, holdOne));
}

const healed = (sql: Sql): Promise<unknown> =>
  vi.waitFor(() => ask(sql), { timeout: 20_000, interval: 20 });

test('keeps a pool whole when its connections are repeatedly cut under load', async () => {
  const database = await createTestDatabase({ migrated: false, max: 1 });
  const proxy = await openProxy(database.url);
  const sql = connect(proxy.url, { max: connections, applicationName: 'test' });
  try {
    for (let turn = 0; turn < 60; turn += 1) {
      const load = startLoad(sql);
      await pause(turn % 15);
      proxy.cut(turn % 2 === 0 ? 'end' : 'reset');
      expect(await load.stop()).toEqual([]);
      await healed(sql);
      await expectWhole(sql);
    }
  } finally {
    await sql.end({ timeout: 1 });
    await proxy.close();
    await database.drop();
  }
});

test('reconnects every connection to a server that is repeatedly killed under load', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-lost-server-'));
  const port = await freePort('127.0.0.1');
  const open = () =>
    openEmbedded({ dataDir: directory, log: () => {}, choosePort: async () => port });
  let embedded = await open();
  const sql = connect(embedded.url, { max: connections, applicationName: 'test' });
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      const load = startLoad(sql);
      await pause(200);
      killServer(serverPid(directory) ?? 0);
      await embedded.close();
      embedded = await open();
      await healed(sql);
      expect(await load.stop()).toEqual([]);
      await expectWhole(sql);
    }
  } finally {
    await sql.end({ timeout: 1 });
    await embedded.close();
    await rm(directory, { recursive: true, force: true });
  }
});
