import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startAcquirer } from '../../connectors/template/emulator/emulator.ts';
import { runKit } from '../../src/connectors/kit/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { newSecret } from './caller.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const file = path.resolve(import.meta.dirname, '../../connectors/template/python/connector.py');

/** Waits until the process is ready, and returns its address. */
async function originOf(process: ChildProcess): Promise<string> {
  if (!process.stdout) throw new Error('It has no output.');
  const [line] = await once(createInterface(process.stdout), 'line');
  return String(line).replace('ready ', '');
}

test.skipIf(!hasPython)(
  'verifies a connector in Python with the kit',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-python-'));
    const acquirer = await startAcquirer({ host: '127.0.0.1', port: 0, key: 'key', reviewMs: 500 });
    const [port, secret] = [await freePort('127.0.0.1'), newSecret()];
    const connector = spawn('python3', [file], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        CONNECTOR_PORT: '0',
        CONNECTOR_SECRET: secret,
        CONNECTOR_DATA_DIR: folder,
        CONNECTOR_SERVICE_URL: `http://127.0.0.1:${port}`,
        TEMPLATE_ACQUIRER_URL: acquirer.origin,
        TEMPLATE_ACQUIRER_KEY: 'key',
        TEMPLATE_TEST: 'yes',
      },
    });
    try {
      const report = await runKit({
        url: await originOf(connector),
        secrets: [secret],
        patienceMs: 20_000,
        listen: { host: '127.0.0.1', port },
      });
      expect(report.results.filter(({ result }) => result === 'broken')).toEqual([]);
      expect(report.held).toBeGreaterThan(60);
      const held = report.results.filter(({ result }) => result === 'held');
      for (const guarantee of [
        'a signed notice reports a late change of a charge, and is retried until accepted',
        'a notice reports a new card number, and charges use the card that GET returns',
        'a notice reports a closed card, which is no longer charged',
      ]) {
        expect(held).toContainEqual(expect.objectContaining({ guarantee }));
      }
    } finally {
      connector.kill();
      await acquirer.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

test.skipIf(!hasPython)('retries a notice in Python after an answer that is not HTTP', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-python-'));
  const journal = new DatabaseSync(path.join(folder, 'journal.sqlite'));
  journal.exec(`
    create table notices (
      body text primary key, next_at real not null, tries integer not null);
    insert into notices values ('{}', 0, 0)`);
  journal.close();
  const answers = ['nonsense\r\n\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'];
  const taken = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    // The connector may reset the connection, above all when it is killed.
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      socket.end(answers.shift() ?? '');
      if (answers.length === 0) taken.resolve();
    });
  });
  const port = await freePort('127.0.0.1');
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const connector = spawn('python3', [file], {
    stdio: 'ignore',
    env: {
      ...process.env,
      CONNECTOR_PORT: '0',
      CONNECTOR_SECRET: newSecret(),
      CONNECTOR_DATA_DIR: folder,
      CONNECTOR_SERVICE_URL: `http://127.0.0.1:${port}`,
      TEMPLATE_ACQUIRER_URL: 'http://127.0.0.1:9',
      TEMPLATE_ACQUIRER_KEY: 'key',
    },
  });
  try {
    await taken.promise;
  } finally {
    connector.kill();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
