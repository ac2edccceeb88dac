import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { databaseAddress } from '../../../src/platform/postgres/address.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';

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
  expect(address).toBe('postgres://u:p@db.example.com/recaudo?options=-cstatement_timeout%3D5s');
});

test('rejects and names opportunistic TLS modes', () => {
  for (const mode of ['prefer', 'allow', 'on']) {
    expect(() => readConfig({ DATABASE_URL: `postgres://h/d?sslmode=${mode}` })).toThrow(
      'DATABASE_URL must have one of disable, require, verify-ca, verify-full as its sslmode',
    );
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

test('sends nothing, not even the user’s name, to a server that refuses TLS', async () => {
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
