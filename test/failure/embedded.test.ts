import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudoProcess, type Serving, startRecaudo, startServing } from '../cli/run.ts';
import { createTestDatabase } from '../harness/database.ts';
import { openProxy } from '../harness/proxy.ts';
import { call } from '../harness/service.ts';
import {
  isAlive,
  killServer,
  serverPid,
  startChild,
  temporaryDirectory,
} from '../platform/postgres/embedded-tools.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const soon = { timeout: 60_000, interval: 50 };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  dataDir = path.join(directory.path, 'data');
});
afterAll(() => directory.remove());

const env = () => ({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
const serving = (): Promise<Serving> => startServing(env());
const clean = { code: 0, signal: null };

function pidNow(): number {
  const pid = serverPid(dataDir);
  if (pid === null) throw new Error('no server runs');
  return pid;
}

/** Returns the port from the fourth line of PostgreSQL's own file. */
const portNow = (): string | undefined =>
  readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];

const ready = ({ origin }: Serving): Promise<void> =>
  vi.waitFor(async () => {
    expect((await call(origin, 'GET', '/readyz', { key: null })).status).toBe(200);
    expect((await call(origin, 'GET', '/account/balances')).status).toBe(200);
  }, soon);

const accounts = () => recaudoProcess(['accounts', 'list', '--json'], { DATA_DIR: dataDir });

/** Waits until a running process has written the text. */
const says = (ran: { stdout: string; stderr: string }, text: string): Promise<void> =>
  vi.waitFor(() => expect(`${ran.stdout}${ran.stderr}`).toContain(text), soon);

async function endedBy(child: ChildProcess, signal: NodeJS.Signals) {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code, by] = await closed;
  return { code, signal: by };
}

test('exits with 0 on SIGTERM during the database’s creation, which the next start completes', async () => {
  const { child, ran } = startRecaudo(['serve'], { ...env(), PORT: '0', METRICS_PORT: '0' });
  await says(ran, 'creating the database');
  expect(await endedBy(child, 'SIGTERM')).toEqual(clean);
  const service = await serving();
  await ready(service);
  expect(await service.end('SIGTERM')).toEqual(clean);
  expect(serverPid(dataDir)).toBeNull();
});

test('exits with 0 on SIGTERM while another process blocks the start', async () => {
  const holder = await startChild('holds-lock.ts', path.join(dataDir, 'lock.sqlite'));
  const { child, ran } = startRecaudo(['serve'], { ...env(), PORT: '0', METRICS_PORT: '0' });
  await says(ran, 'waiting for another process');
  expect(await endedBy(child, 'SIGTERM')).toEqual(clean);
  await holder.kill();
});

test('exits with 0 on SIGTERM before the program is loaded', async () => {
  const slow = path.join(directory.path, 'slow.mjs');
  const here = path.join(import.meta.dirname, '../..');
  writeFileSync(
    slow,
    `process.argv[2] = 'serve';
     import { registerHooks } from 'node:module';
     registerHooks({ load(url, context, next) {
       if (url.endsWith('cli/program.js')) {
         process.stdout.write('loading\\n');
         return { format: 'module', shortCircuit: true, source: 'await new Promise((r) => setTimeout(r, 60000))' };
       }
       return next(url, context);
     } });
     await import(${JSON.stringify(path.join(here, 'dist/src/cli/main.js'))});`,
  );
  const child = spawn(process.execPath, [slow], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(await endedBy(child, 'SIGTERM')).toEqual(clean);
});

test('restarts a killed database in place, with all its data', async () => {
  const service = await serving();
  const port = portNow();
  const made = await call(service.origin, 'POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'Cuota',
        first_due_date: '31-12-2098',
        first_total: 10,
        payer_name: 'Ana',
      },
    },
  });
  expect(made.status).toBe(201);
  for (const kill of [(pid: number) => process.kill(pid, 'SIGKILL'), killServer]) {
    const killed = pidNow();
    kill(killed);
    await vi.waitFor(() => expect(pidNow()).not.toBe(killed), soon);
    await ready(service);
    expect(portNow()).toBe(port);
  }
  const again = await call(service.origin, 'GET', `/payment-request/${made.body.id}`);
  expect(again.status).toBe(200);
  expect(await service.end('SIGTERM')).toEqual(clean);
  expect(serverPid(dataDir)).toBeNull();
});

test('lets commands use the running service’s database, killed or not, and leaves it running', async () => {
  const service = await serving();
  const port = portNow();
  expect((await accounts()).code).toBe(0);
  const before = pidNow();
  killServer(before);
  expect(await accounts()).toMatchObject({ code: 0, stderr: '' });
  await ready(service);
  expect(portNow()).toBe(port);
  expect(isAlive(pidNow())).toBe(true);
  expect(await service.end('SIGTERM')).toEqual(clean);
  expect(serverPid(dataDir)).toBeNull();
});

test('leaves a command’s database running for a service that joined in between', async () => {
  const command = await startChild('opens-database.ts', dataDir);
  const pid = pidNow();
  const service = await serving();
  expect(await command.finish()).toBe(0);
  expect(pidNow()).toBe(pid);
  await ready(service);
  const killed = await startChild('opens-database.ts', dataDir);
  await killed.kill();
  await ready(service);
  expect(pidNow()).toBe(pid);
  expect(await service.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  expect(isAlive(pid)).toBe(true);
  expect((await accounts()).code).toBe(0);
  expect(serverPid(dataDir)).toBeNull();
});

test('exits with 0 on SIGTERM while the database is down and cannot start', async () => {
  const service = await serving();
  const holder = await startChild('holds-lock.ts', path.join(dataDir, 'lock.sqlite'));
  killServer(pidNow());
  await vi.waitFor(() => expect(service.output()).toContain('ended and is restarted'), soon);
  const ended = service.end('SIGTERM');
  await vi.waitFor(() => expect(service.output()).toContain('stopping'), soon);
  await holder.kill();
  expect(await ended).toEqual(clean);
});

test('exits with a message for its supervisor if another program takes the database’s port', async () => {
  const service = await serving();
  const port = Number(portNow());
  const ended = service.ended;
  killServer(pidNow());
  let occupier: Server | undefined;
  await vi.waitFor(
    async () => {
      const server = createServer();
      const listening = Promise.race([
        once(server, 'listening'),
        once(server, 'error').then(([error]) => Promise.reject(error)),
      ]);
      server.listen(port, '127.0.0.1');
      await listening;
      occupier = server;
    },
    { timeout: 400, interval: 1 },
  );
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(service.output()).toContain(`its port ${port} was taken by another program`);
  expect(service.output()).toContain('start the service again');
  occupier?.close();
  expect((await accounts()).code).toBe(0);
});

test.each(['silent', 'hang up'] as const)(
  'exits with 0 on SIGTERM if its database fails (%s), at start and later',
  async (manner) => {
    const database = await createTestDatabase();
    const proxy = await openProxy(database.url);
    const service = await startServing({ DATABASE_URL: proxy.url });
    proxy.behave(manner);
    if (manner === 'hang up') proxy.cut('reset');
    // A separate proxy, so that it counts this process only.
    const way = await openProxy(database.url);
    way.behave(manner);
    const { child } = startRecaudo(['serve'], {
      DATABASE_URL: way.url,
      PORT: '0',
      METRICS_PORT: '0',
    });
    await vi.waitFor(() => expect(way.accepted()).toBeGreaterThan(0), soon);
    const starting = await endedBy(child, 'SIGTERM');
    // If its first attempts were refused, the process has already reported so and exited.
    if (manner === 'silent') expect(starting).toEqual(clean);
    expect(await service.end('SIGTERM')).toEqual(clean);
    await way.close();
    await proxy.close();
    await database.drop();
  },
);
