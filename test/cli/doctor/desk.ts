import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { wallClock } from '../../../src/platform/clocks.ts';
import { claimEnvironment } from '../../../src/platform/environment.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { backupRuns, noteAudit, noteRun } from '../../../src/platform/sweep-runs.ts';
import { connectSuperuser, createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { testVaultKeys } from '../../harness/keys.ts';
import { recaudo } from '../run.ts';

export const backupKeys = `b1:${Buffer.alloc(32, 9).toString('base64')}`;

/** A sound production deployment, into which tests plant one mistake each. */
export interface Desk {
  database: TestDatabase;
  /** A database of another deployment. */
  other: TestDatabase;
  /** A session that began before the tests changed settings, and so keeps the old ones. */
  superuser: Sql;
  folder: string;
  env: Record<string, string>;
  /** Addresses of a mail server, and of a web server that refuses everything. */
  mail: string;
  refusing: string;
  /**
   * Returns the findings that are not ok. With a changed environment, only those that it changes.
   */
  doctor(changed?: Record<string, string>): Promise<Record<string, Finding>>;
  close(): Promise<void>;
}

export const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

/** Creates a mail server that accepts everything except passwords. */
const mailServer = (): Server =>
  createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail\r\n');
    socket.on('data', (bytes) => {
      const [word = ''] = bytes.toString().split(/\s/);
      if (word === 'EHLO') socket.write('250-mail\r\n250 AUTH PLAIN\r\n');
      else socket.write(word === 'AUTH' ? '535 no such user\r\n' : '250 ok\r\n');
      if (word === 'QUIT') socket.end();
    });
  });

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Records successful audits, backups and drills. */
async function noteGoodRuns(sql: Sql): Promise<void> {
  const beganMs = wallClock.nowMs();
  await noteAudit(sql, wallClock, { beganMs, accounts: 1, faults: 0 });
  for (const run of Object.values(backupRuns)) {
    await noteRun(sql, wallClock, run, { beganMs, moved: 1 });
  }
}

async function createPeople(env: Record<string, string>): Promise<void> {
  for (const name of ['eva', 'leo']) {
    const address = [`${name}@example.com`, '--name', name, '--role', 'operator'];
    const ran = await recaudo(['users', 'create', ...address], env);
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
  const ran = await recaudo(
    ['accounts', 'create', '--name', 'Uno', '--cuit', '30-99999999-5'],
    env,
  );
  if (ran.code !== 0) throw new Error(ran.stderr);
}

export async function openDesk(): Promise<Desk> {
  const [database, other] = [
    await createTestDatabase(),
    await createTestDatabase({ migrated: false }),
  ];
  const superuser = connectSuperuser(database.url);
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-doctor-'));
  const servers = [mailServer(), createHttpServer((_, answer) => answer.writeHead(403).end('no'))];
  const [mail = '', refusing = ''] = await Promise.all(servers.map(listening));
  const env = {
    ENVIRONMENT: 'production',
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    BACKUP_DATABASE_URL: inject('superuserUrl'),
    DATA_DIR: path.join(folder, 'data'),
    PUBLIC_URL: 'https://127.0.0.1:1',
    VAULT_KEYS: testVaultKeys,
    BACKUP_TO: `file://${folder}/store`,
    BACKUP_KEYS: backupKeys,
    SMTP_URL: `smtp://${mail}`,
    MAIL_FROM: 'Pagos <pagos@example.com>',
    BARCODE_CONVENTION: '5150058293',
    PMC_COMPANY: '0123',
    TRUST_PROXY: '1',
    MAX_CONNECTIONS: '500',
  };
  await writeFile(path.join(folder, 'file'), '');
  await mkdir(env.DATA_DIR);
  await superuser.unsafe(`alter database ${nameOf(database)} set synchronous_commit = on`);
  await claimEnvironment(database.sql, 'production');
  await noteGoodRuns(database.sql);
  await createPeople(env);
  await superuser`update users set state = 'active'`;
  const findings = async (changed: Record<string, string>): Promise<Record<string, Finding>> => {
    const ran = await recaudo(['doctor', '--json'], { ...env, ...changed });
    const rows: (Finding & { what: string })[] = JSON.parse(ran.stdout);
    const found = rows.filter(({ state }) => state !== 'ok');
    const isBroken = found.some(({ state }) => state === 'broken');
    if (ran.code !== (isBroken ? 1 : 0)) throw new Error(`${ran.code}: ${ran.stdout}`);
    return Object.fromEntries(found.map(({ what, ...finding }) => [what, finding]));
  };
  const usual = await findings({});
  const isUsual = ([what, { found }]: [string, Finding]): boolean => usual[what]?.found === found;
  return {
    ...{ database, other, superuser, folder, env, mail, refusing },
    async doctor(changed) {
      if (changed === undefined) return usual;
      const found = Object.entries(await findings(changed));
      return Object.fromEntries(found.filter((one) => !isUsual(one)));
    },
    async close() {
      for (const server of servers) server.close();
      await superuser.end();
      await database.drop();
      await other.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
