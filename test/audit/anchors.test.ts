import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { sealAll } from '../../src/money/ledger/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { checkAnchors, createAnchors, receiverAt } from '../../src/seals/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;
let folder: string;
let kept: string;

/** A clock one day ahead, so that the day of the seals is over. */
const tomorrow = {
  now: () => wallClock.now().add({ hours: 24 }),
  nowMs: () => wallClock.nowMs() + 86_400_000,
};
const publish = (address: string) =>
  createAnchors(service.sql, tomorrow, receiverAt(address, wallClock.now))();
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const unsend = () => superuser`update anchors set sent_at = null`;

async function seal(): Promise<void> {
  const { sealer, base } = service.service.parts;
  await sealAll(base.sql, sealer);
  await sealEvents(service);
}

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'anchors-'));
  kept = path.join(folder, 'anchors');
  superuser = connectSuperuser(service.databaseUrl);
  await player.pay(await player.create());
  await player.pay(await player.create());
  await seal();
}, 60_000);
afterAll(async () => {
  await superuser.end();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await superuser`truncate anchors`;
  await rm(kept, { force: true });
});

test('writes one line per account and finished day, despite two senders and a crash midway', async () => {
  expect(
    await createAnchors(service.sql, wallClock, receiverAt(`file://${kept}`, wallClock.now))(),
  ).toBe(0);
  const counts = await Promise.all([publish(`file://${kept}`), publish(`file://${kept}`)]);
  const [row] = await service.sql<{ accounts: number }[]>`
    select count(distinct account_id)::int as accounts from seal_links`;
  expect(counts[0] + counts[1]).toBe(row?.accounts);
  const written = await readFile(kept, 'utf8');
  expect(new Set(linesOf(written)).size).toBe(row?.accounts);
  // Simulates a crash after writing half of the last line, before recording the lines.
  await unsend();
  await writeFile(kept, written.slice(0, -10));
  await publish(`file://${kept}`);
  const again = linesOf(await readFile(kept, 'utf8'));
  expect(again.filter((line) => line.endsWith('}')).sort()).toEqual(linesOf(written).sort());
  expect(await publish(`file://${kept}`)).toBe(0);
});

test('checks the other lines of a file with an impossible day', async () => {
  await publish(`file://${kept}`);
  const written = await readFile(kept, 'utf8');
  const [line = ''] = linesOf(written);
  const wrong = line.replace(/"anchor":"[^"]+"/, '"anchor":"2026-13-45"');
  await writeFile(kept, `${wrong}\n${written}`);
  const lines = linesOf(written).length;
  expect(await checkAnchors(service.sql, kept)).toEqual({ lines, faults: [] });
});

test('reports a line with an impossible seal, and checks the others', async () => {
  await publish(`file://${kept}`);
  const written = await readFile(kept, 'utf8');
  const [line = ''] = linesOf(written);
  const wrong = line.replace(/"seal":\d+/, '"seal":9999999999');
  await writeFile(kept, `${wrong}\n${written}`);
  expect(await checkAnchors(service.sql, kept)).toEqual({
    lines: linesOf(written).length + 1,
    faults: [{ accountId: JSON.parse(line).account, what: expect.stringContaining('is missing') }],
  });
});

test('assigns seals to the next day if they commit after a day’s line is written', async () => {
  await publish(`file://${kept}`);
  const [ended] = await service.sql<{ no: number; at: Temporal.Instant }[]>`
    select no, sealed_at as at from seal_links where account_id = ${testAccount}
    order by no desc limit 1`;
  // Simulates a sealer that read its clock before midnight and was still working when the line was
  // written.
  const { sealer, base } = service.service.parts;
  const late = { ...sealer, moment: () => ended?.at ?? wallClock.now() };
  await player.pay(await player.create());
  await sealAll(base.sql, late);
  await sealEvents(service, late);
  const [last] = await service.sql<{ no: number }[]>`
    select max(no) as no from seal_links where account_id = ${testAccount}`;
  expect(last?.no).toBeGreaterThan(ended?.no ?? 0);
  expect(await publish(`file://${kept}`)).toBe(0);
  const dayAfter = {
    now: () => tomorrow.now().add({ hours: 24 }),
    nowMs: () => tomorrow.nowMs() + 86_400_000,
  };
  await createAnchors(service.sql, dayAfter, receiverAt(`file://${kept}`, wallClock.now))();
  const own = linesOf(await readFile(kept, 'utf8'))
    .map((line) => JSON.parse(line))
    .filter(({ account }) => account === testAccount);
  expect(own.map(({ seal }) => seal)).toEqual([ended?.no, last?.no]);
  const [before, after] = own.map(({ anchor }) => Temporal.PlainDate.from(anchor));
  expect(before?.until(after ?? '').days).toBe(1);
  expect((await checkAnchors(service.sql, kept)).faults).toEqual([]);
});

test('detects a chain rewritten with the vault’s own key, or truncated, only through its anchors', async () => {
  await publish(`file://${kept}`);
  expect((await checkAnchors(service.sql, kept)).faults).toEqual([]);
  const { sealer } = service.service.parts;
  const audited = () => auditAccount(service.sql, testAccount, { keys: sealer.keys });
  expect(await audited()).toEqual([]);

  const [{ last } = { last: 0 }] = await service.sql<{ last: number }[]>`
    select max(no) as last from seal_links where account_id = ${testAccount}`;
  const day = JSON.parse(linesOf(await readFile(kept, 'utf8'))[0] ?? '').anchor;
  // An attacker with the key and the database seals another history.
  await superuser`delete from seals where account_id = ${testAccount}`;
  await superuser`delete from seal_links where account_id = ${testAccount}`;
  await superuser`update events set data = '{"forged": true}' where account_id = ${testAccount}
    and type = 'payment_request.created'`;
  await superuser`delete from seal_marks`;
  const cut = (await checkAnchors(service.sql, kept)).faults;
  expect(cut).toEqual([
    {
      accountId: testAccount,
      what: expect.stringMatching(`seal ${last}, anchored on ${day}, is missing`),
    },
  ]);
  await seal();
  // The ledger's journals are already folded, so the chain continues from the new seals.
  const [now] = await service.sql<{ last: number }[]>`
    select max(no) as last from seal_links where account_id = ${testAccount}`;
  expect(now?.last).toBeGreaterThan(0);
  const forged = (await checkAnchors(service.sql, kept)).faults;
  expect(forged).toEqual([
    { accountId: testAccount, what: expect.stringMatching(/has changed|is missing/) },
  ]);
  expect((await checkAnchors(service.sql, kept, (id) => id !== testAccount)).faults).toEqual([]);
});

test('sends an HTTP receiver the same batch under one key until it is accepted', async () => {
  const got: { key: string | undefined; body: string; auth: string | undefined }[] = [];
  let status = 500;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { 'idempotency-key': key, authorization: auth } = request.headers;
    got.push({ key: String(key), body, auth });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `http://ana:secret@127.0.0.1:${port}/anchors`;
  await expect(publish(address)).rejects.toThrow('500');
  status = 204;
  expect(await publish(address)).toBeGreaterThan(0);
  expect(await publish(address)).toBe(0);
  expect(got).toHaveLength(2);
  expect(got[1]).toEqual(got[0]);
  expect(got[0]?.auth).toBe(`Basic ${Buffer.from('ana:secret').toString('base64')}`);
  await writeFile(kept, got[0]?.body ?? '');
  expect((await checkAnchors(service.sql, kept)).lines).toBe(linesOf(got[0]?.body ?? '').length);
  server.close();
});

const message = /^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ recaudo - anchor - (\{.*\})$/;

test('sends RFC 5424 messages to a syslog server over TCP, with octet counting', async () => {
  let text = '';
  const server = createTcpServer((socket) => {
    socket.on('data', (bytes) => {
      text += String(bytes);
    });
    socket.on('end', () => socket.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const count = await publish(`syslog+tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const messages: string[] = [];
  while (text !== '') {
    const [, length = '', rest = ''] = /^(\d+) (.*)$/s.exec(text) ?? [];
    messages.push(rest.slice(0, Number(length)));
    text = rest.slice(Number(length));
  }
  expect(messages).toHaveLength(count);
  for (const one of messages) expect(one).toMatch(message);
  await writeFile(kept, messages.map((one) => `Nov 22 host ${one}\n`).join(''));
  expect(await checkAnchors(service.sql, kept)).toMatchObject({ lines: count });
  server.close();
});

test('sends one message per datagram over UDP, also after a failure to reach a server', async () => {
  const server = createSocket('udp4');
  const messages: string[] = [];
  server.on('message', (bytes) => messages.push(String(bytes)));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await expect(publish('syslog+tcp://127.0.0.1:1')).rejects.toThrow();
  const count = await publish(`syslog+udp://127.0.0.1:${port}`);
  await vi.waitFor(() => expect(messages).toHaveLength(count));
  for (const one of messages) expect(one).toMatch(message);
  server.close();
});
