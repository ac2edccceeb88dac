import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { databaseAddress } from '../../../src/platform/postgres/address.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { serversOf } from '../../../src/platform/postgres/servers.ts';

const tlsOf = (text: string, production: boolean) => databaseAddress(text, { production }).tls;

test.each([
  'postgres://u:p@db.example.com/recaudo',
  'postgres://u:p@10.0.0.5:6432/recaudo',
  'postgres://u:p@[2001:db8::5]/recaudo',
  'postgres://u:p@localhost.example.com/recaudo',
  'postgres://u:p@127.0.0.1.example.com/recaudo',
  'postgres://u:p@db.example.com/recaudo?sslmode=verify-full',
  'postgres://u:p@127.0.0.1/recaudo?sslmode=verify-full',
])('requires verified TLS in production for %s', (text) => {
  expect(tlsOf(text, true)).toEqual({ rejectUnauthorized: true });
});

test.each([
  'postgres://u:p@localhost/recaudo',
  'postgres://u:p@127.0.0.1:5432/recaudo',
  'postgres://u:p@127.8.8.8/recaudo',
  'postgres://u:p@[::1]/recaudo',
  'postgres:///recaudo?host=/var/run/postgresql',
  'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/recaudo',
  'postgres://u:p@db.example.com/recaudo?sslmode=disable',
])('uses no TLS in production for %s, which is local or has sslmode=disable', (text) => {
  expect(tlsOf(text, true)).toBeNull();
});

test('uses TLS in the sandbox if the address requires it', () => {
  expect(tlsOf('postgres://u:p@db.example.com/recaudo', false)).toBeNull();
  const { address, tls } = databaseAddress(
    'postgres://u:p@db.example.com/recaudo?sslmode=require&options=-cstatement_timeout%3D5s',
    { production: false },
  );
  expect(tls).toMatchObject({ rejectUnauthorized: false });
  const system = 'postgres://u:p@db.example.com/recaudo?sslmode=require&sslrootcert=system';
  expect(tlsOf(system, false)).toMatchObject({ rejectUnauthorized: true });
  expect(address).toBe('postgres://u:p@db.example.com/recaudo?options=-cstatement_timeout%3D5s');
});

test('splits an address of several servers, with one port for all or one for each', () => {
  const several = (query: string) =>
    serversOf(`postgres://u:p@db1/recaudo?${query}`).map((one) => {
      const { searchParams } = new URL(one);
      return [searchParams.get('host'), searchParams.get('port')];
    });
  expect(several('host=db1,db2')).toEqual([
    ['db1', null],
    ['db2', null],
  ]);
  expect(several('host=db1,db2&port=6432')).toEqual([
    ['db1', '6432'],
    ['db2', '6432'],
  ]);
  expect(several('host=db1,db2&port=5432,5433')).toEqual([
    ['db1', '5432'],
    ['db2', '5433'],
  ]);
  for (const one of ['postgres://u:p@db1/recaudo', 'postgres://u@/recaudo?host=%2Frun&port=1']) {
    expect(serversOf(one)).toEqual([one]);
  }
});

test.each([
  ['postgres://u:p@db1,db2/recaudo', 'as ?host=db1,db2'],
  ['postgres://u:p@db1/recaudo?host=db1,', 'up to 8 servers as its host, without gaps'],
  [`postgres://u:p@h/d?host=${Array(9).fill('h').join(',')}`, 'up to 8 servers'],
  ['postgres://u:p@db1/recaudo?host=db1,db2&port=1,2,3', 'one port for all servers, or one for'],
  ['postgres://u:p@db1/recaudo?port=1,2', 'one port for all servers, or one for'],
])('rejects %s and says how to list several servers', (address, fault) => {
  expect(() => readConfig({ DATABASE_URL: address })).toThrow(fault);
});

test('uses no TLS in production only if every server is local', () => {
  const local = 'postgres://u:p@127.0.0.1/recaudo?host=127.0.0.1,localhost';
  expect(tlsOf(local, true)).toBeNull();
  expect(tlsOf(`${local},db.example.com`, true)).toEqual({ rejectUnauthorized: true });
});

test('rejects an opportunistic or unknown sslmode, and lists the allowed ones', () => {
  for (const mode of ['prefer', 'allow', 'on']) {
    for (const name of ['DATABASE_URL', 'BACKUP_DATABASE_URL']) {
      expect(() => readConfig({ [name]: `postgres://h/d?sslmode=${mode}` })).toThrow(
        `${name} must have one of disable, require, verify-ca, verify-full as its sslmode`,
      );
    }
  }
  expect(readConfig({ DATABASE_URL: 'postgres://h/d?sslmode=require' }).DATABASE_URL).toContain(
    'require',
  );
});

/** Starts a server that refuses TLS, like a man in the middle, and records what it receives. */
async function refusing(): Promise<{ server: Server; port: number; heard: Buffer[] }> {
  const heard: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('data', (bytes: Buffer) => {
      heard.push(bytes);
      socket.end('N');
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { port: number }).port, heard };
}

test('sends only requests for TLS, and never the user’s name, to a server that refuses TLS', async () => {
  const { server, port, heard } = await refusing();
  const { address, tls } = databaseAddress(
    `postgres://somebody:hunter2@127.0.0.1:${port}/recaudo?sslmode=verify-full`,
    { production: true },
  );
  const sql = connect(address, { max: 1, applicationName: 'test', tls });
  try {
    await expect(sql`select 1`).rejects.toThrow();
    const said = Buffer.concat(heard);
    expect(said.length).toBeGreaterThan(0);
    expect(said.length % 8).toBe(0);
    expect(said.includes('somebody')).toBe(false);
  } finally {
    await sql.end({ timeout: 0 });
    server.close();
  }
});
