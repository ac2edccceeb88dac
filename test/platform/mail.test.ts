import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../src/platform/clocks.ts';
import { createLog } from '../../src/platform/log.ts';
import { countFailedMails } from '../../src/platform/mail/outbox.ts';
import { linkMark, type Mail, queueMails } from '../../src/platform/mail/queue.ts';
import { createMailer, type Transport } from '../../src/platform/mail/send.ts';
import { folderTransport, smtpTransport } from '../../src/platform/mail/transport.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let now: Temporal.Instant;
const clock: Clock = { now: () => now, nowMs: () => now.epochMilliseconds };
const options = {
  log: createLog('silent'),
  origin: 'https://pagos.example',
  linkOf: ({ kind, id }: { kind: string; id: number }) => `https://pagos.example/${kind}/${id}`,
  linkStillPending: async (_sql: unknown, _account: string, links: unknown[]) =>
    links.map(() => true),
  limitsOf: async () => ({ perMailbox: 0, perMinute: 0 }),
};

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  now = Temporal.Instant.from('2026-11-21T12:00:00Z');
  await database.sql`delete from mails`;
});

const mailOf = (id: number, accountId = 'A1B2C3D4'): Mail => ({
  accountId,
  id,
  recipient: `holder${id}@example.com`,
  subject: 'Autorizá el débito – Ñandú',
  body: `Hola:\n\nAbrí ${linkMark}\n`,
  link: { kind: 'sign', id, no: 1 },
  counts: true,
});

/** Queues those of the e-mails that the statement names; all by default. */
async function queue(mails: Mail[], named = mails): Promise<void> {
  const { sql } = database;
  await sql`
    with fresh as (
      select * from unnest(
        ${named.map((mail) => mail.accountId)}::text[], ${named.map((mail) => mail.id)}::bigint[]
      ) as fresh (account_id, mail_id)
    ),
    ${queueMails(sql, mails, 'fresh', now)}
    select 1`;
}

const states = async () =>
  await database.sql<{ id: number; state: string; attempts: number }[]>`
    select id, state, attempts from mails order by id`;

/** A transport that records messages, and fails on demand. */
function recording() {
  const sent: Parameters<Transport>[0][] = [];
  const at = { fault: null as string | null };
  const transport: Transport = async (mail) => {
    if (at.fault !== null) throw new Error(at.fault);
    sent.push(mail);
  };
  return { sent, at, transport };
}

test('queues only the e-mails that the statement names', async () => {
  await queue([mailOf(1), mailOf(2)], [mailOf(2)]);
  expect(await states()).toEqual([{ id: 2, state: 'waiting', attempts: 0 }]);
});

test('sends each account’s e-mails once, and nothing on the next run', async () => {
  await queue([mailOf(1), mailOf(2), mailOf(3, 'BBBBBBBB')]);
  const { sent, transport } = recording();
  const send = createMailer(database.sql, clock, transport, options);
  expect(await send()).toBe(3);
  expect(await send()).toBe(0);
  expect(sent.map((mail) => mail.recipient).sort()).toEqual([
    'holder1@example.com',
    'holder2@example.com',
    'holder3@example.com',
  ]);
  expect(sent.find((mail) => mail.recipient === 'holder1@example.com')?.messageId).toBe(
    '<A1B2C3D4.1@pagos.example>',
  );
});

test('adds an e-mail’s link only when sending, so the database never has it', async () => {
  await queue([mailOf(1), { ...mailOf(2), body: 'no link', link: null }]);
  const { sent, transport } = recording();
  await createMailer(database.sql, clock, transport, options)();
  expect(sent.map(({ body }) => body)).toEqual(
    expect.arrayContaining(['Hola:\n\nAbrí https://pagos.example/sign/1\n', 'no link']),
  );
  const rows = await database.sql`select row_to_json(m)::text as text from mails m`;
  expect(JSON.stringify(rows)).not.toContain('https://');
});

test('sends each e-mail once from concurrent senders', async () => {
  await queue(Array.from({ length: 30 }, (_, n) => mailOf(n + 1)));
  const { sent, transport } = recording();
  const send = () => createMailer(database.sql, clock, transport, options)();
  await Promise.all([send(), send(), send()]);
  while ((await send()) > 0);
  expect(sent.map((mail) => mail.messageId).sort()).toEqual(
    Array.from({ length: 30 }, (_, n) => `<A1B2C3D4.${n + 1}@pagos.example>`).sort(),
  );
});

/** A transport that blocks until released. */
function holding() {
  const held: { recipient: string; letGo: () => void }[] = [];
  const at = { open: false, most: 0, underWay: 0 };
  const transport: Transport = async ({ recipient }) => {
    at.underWay += 1;
    at.most = Math.max(at.most, at.underWay);
    if (!at.open) await new Promise<void>((resolve) => held.push({ recipient, letGo: resolve }));
    at.underWay -= 1;
  };
  const letGo = (): void => {
    at.open = true;
    for (const one of held) one.letGo();
  };
  return { held, at, transport, letGo };
}

test('sends to a slow mail server over at most twenty connections', async () => {
  const accounts = Array.from(
    { length: 12 },
    (_none, no) => `BB0000${String(no).padStart(2, '0')}`,
  );
  await queue(
    accounts.flatMap((accountId, no) => [1, 2, 3].map((k) => mailOf(no * 10 + k, accountId))),
  );
  const { held, at, transport, letGo } = holding();
  const sending = createMailer(database.sql, clock, transport, options)();
  await expect.poll(() => held.length).toBe(20);
  letGo();
  expect(await sending).toBe(24);
  expect(at.most).toBe(20);
});

test('sends priority e-mails ahead of others’ turns, and gives every account a turn', async () => {
  const accounts = Array.from({ length: 130 }, (_none, no) => `BB${String(no).padStart(6, '0')}`);
  // Most accounts may send one e-mail a minute, so their second ones stay due.
  const limitsOf = async (accountId: string) => ({
    perMailbox: 0,
    perMinute: accountId < 'BB000110' ? 1 : 0,
  });
  await queue(accounts.map((accountId, no) => mailOf(no + 1, accountId)));
  const { sent, transport } = recording();
  const send = createMailer(database.sql, clock, transport, {
    ...options,
    limitsOf,
    first: 'ZZZZZZZZ',
  });
  expect(await send()).toBe(100);
  await queue(accounts.map((accountId, no) => mailOf(no + 1_001, accountId)));
  await queue([mailOf(5_000, 'ZZZZZZZZ')]);
  expect(await send()).toBeGreaterThan(30);
  expect(sent[100]?.recipient).toBe('holder5000@example.com');
  // The twenty accounts without a limit have room, so the sender passes the blocked ones to reach
  // them.
  let turns = 0;
  for (; turns < 4; turns += 1) await send();
  expect(sent.filter(({ recipient }) => /holder11[123]\d@/.test(recipient))).toHaveLength(20);
});

test('retries a failed e-mail under the same Message-ID', async () => {
  await queue([mailOf(1)]);
  const { sent, at, transport } = recording();
  const send = createMailer(database.sql, clock, transport, options);
  at.fault = 'no route to host';
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  at.fault = null;
  now = now.add({ minutes: 1 });
  expect(await send()).toBe(1);
  expect(sent.map((mail) => mail.messageId)).toEqual(['<A1B2C3D4.1@pagos.example>']);
});

test('counts failed e-mails up to a bound', async () => {
  await queue([mailOf(1), mailOf(2), mailOf(3)]);
  await database.sql`update mails set state = 'failed'`;
  expect(await countFailedMails(database.sql, 2)).toBe(2);
  expect(await countFailedMails(database.sql, 9)).toBe(3);
});

test('marks an e-mail as failed after the last attempt', async () => {
  await queue([mailOf(1)]);
  const { at, transport } = recording();
  at.fault = 'mailbox unavailable';
  const send = createMailer(database.sql, clock, transport, options);
  let tries = 0;
  for (let day = 0; day < 40; day += 1) {
    tries += await send();
    now = now.add({ hours: 2 });
  }
  expect(tries).toBe(7);
  expect(await states()).toEqual([{ id: 1, state: 'failed', attempts: 7 }]);
});

test('sends a crashed sender’s e-mails after its lease expires', async () => {
  await queue([mailOf(1)]);
  let taken = (): void => {};
  const held = new Promise<void>((resolve) => {
    taken = resolve;
  });
  const hanging: Transport = () => {
    taken();
    return new Promise(() => {});
  };
  void createMailer(database.sql, clock, hanging, options)();
  await held;
  const { sent, transport } = recording();
  const send = createMailer(database.sql, clock, transport, options);
  expect(await send()).toBe(0);
  now = now.add({ minutes: 5 });
  expect(await send()).toBe(1);
  expect(sent).toHaveLength(1);
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mails-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const letter = {
  recipient: 'ana@example.com',
  subject: 'Autorizá el débito',
  body: 'Hola, Ñata:\nhttps://pagos.example/sign\n',
  messageId: '<A1B2C3D4.7@pagos.example:8360>',
};

test('writes each e-mail as one complete file if no mail server is configured', async () => {
  const write = await folderTransport(
    path.join(folder, 'mail'),
    'Recaudo <no-reply@pagos.example>',
  );
  await Promise.all([write(letter), write({ ...letter, messageId: '<A1B2C3D4.8@x>' })]);
  await write(letter);
  const files = await readdir(path.join(folder, 'mail'));
  expect(files).toHaveLength(2);
  expect(files.every((file) => /^[\w.@-]+\.eml$/.test(file))).toBe(true);
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(folder, 'mail', file), 'utf8')),
  );
  for (const text of texts) {
    expect(text).toMatch(/^To: ana@example.com\r?$/m);
    expect(text).toMatch(/^From: Recaudo <no-reply@pagos.example>\r?$/m);
    expect(text).toMatch(/^Message-ID: </im);
  }
});

/** Starts a minimal mail server that accepts one e-mail. */
async function mailServer(): Promise<{ server: Server; url: string; got: () => string }> {
  let got = '';
  const talk = (socket: Socket): void => {
    let inData = false;
    socket.write('220 test\r\n');
    socket.on('data', (bytes) => {
      const text = bytes.toString('utf8');
      got += text;
      if (inData) {
        if (!got.endsWith('\r\n.\r\n')) return;
        inData = false;
        socket.write('250 kept\r\n');
      } else if (/^DATA/im.test(text)) {
        inData = true;
        socket.write('354 go on\r\n');
      } else socket.write(text.startsWith('QUIT') ? '221 bye\r\n' : '250 fine\r\n');
    });
    socket.on('error', () => {});
  };
  const server = createServer(talk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { server, url: `smtp://127.0.0.1:${port}`, got: () => got };
}

test('passes envelope, sender, text and Message-ID to a mail server', async () => {
  const { server, url, got } = await mailServer();
  try {
    await smtpTransport(url, 'Recaudo <no-reply@pagos.example>')(letter);
    expect(got()).toContain('MAIL FROM:<no-reply@pagos.example>');
    expect(got()).toContain('RCPT TO:<ana@example.com>');
    expect(got()).toContain('Message-ID: <A1B2C3D4.7@pagos.example:8360>');
    expect(got()).toContain('https://pagos.example/sign');
  } finally {
    server.close();
  }
});

test('fails if the mail server is unreachable', async () => {
  const send = smtpTransport('smtp://127.0.0.1:1', 'Recaudo <no-reply@pagos.example>');
  await expect(send(letter)).rejects.toThrow(/ECONNREFUSED/);
});

test('sends e-mails to individuals before bulk mail, even near the minute’s limit', async () => {
  const sent: string[] = [];
  const send = createMailer(
    database.sql,
    clock,
    async ({ recipient }) => void sent.push(recipient),
    { ...options, limitsOf: async () => ({ perMailbox: 0, perMinute: 10 }) },
  );
  const many = Array.from({ length: 40 }, (_none, index) => ({
    ...mailOf(index + 1),
    // Receipts do not count toward the limit.
    counts: index < 20,
    mass: true,
  }));
  await queue(many);
  now = now.add({ seconds: 1 });
  await queue([mailOf(101), { ...mailOf(102), counts: false }]);
  while ((await send()) > 0);
  expect(new Set(sent.slice(0, 20))).toContain('holder101@example.com');
  expect(new Set(sent.slice(0, 20))).toContain('holder102@example.com');
  // One of the ten e-mails a minute is reserved for individuals, and holder101 took another.
  const letters = () => sent.filter((to) => Number(/\d+/.exec(to)) <= 20).length;
  expect(letters()).toBe(8);
  now = now.add({ seconds: 10 });
  await queue([mailOf(103)]);
  while ((await send()) > 0);
  expect(sent).toContain('holder103@example.com');
  expect(letters()).toBe(8);
  now = now.add({ minutes: 1 });
  while ((await send()) > 0);
  expect(letters()).toBe(17);
});
