import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { letterLimitsOf } from '../../src/composition/terms.ts';
import { linkStillPending, signingLinks } from '../../src/mandates/index.ts';
import { payer, system } from '../../src/platform/actor.ts';
import type { Clock } from '../../src/platform/clocks.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMailer, type Transport } from '../../src/platform/mail/send.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { adhesionBody, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let second: TestService;
let now: Temporal.Instant;
const wall: Clock = { now: () => now, nowMs: () => now.epochMilliseconds };

beforeAll(async () => {
  // Without a worker, e-mails are sent only when a test sends them.
  const quiet = { ROLES: 'payments,web', UNSIGNED_MANDATES: '1500' };
  service = await startService(quiet);
  second = await startService({ ...quiet, DATABASE_URL: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});
beforeEach(async () => {
  await service.sql`delete from mails`;
  await service.sql`
    update mandates set state = 'canceled', state_comment = 'over', canceled_at = created_at
    where state = 'pending_to_sign'`;
  await service.sql`update accounts set settings = '{}'`;
  now = Temporal.Now.instant().add({ minutes: 1 });
});

type Sent = Parameters<Transport>[0];

/** Sends as a process does, until nothing is due. Returns the sent e-mails. */
async function send(transport?: Transport): Promise<Sent[]> {
  const { parts } = service.service;
  const sent: Sent[] = [];
  const keep: Transport = async (mail) => void sent.push(mail);
  const mailer = createMailer(parts.base.sql, wall, transport ?? keep, {
    log: createLog('silent'),
    origin: 'https://pagos.example',
    linkOf: signingLinks(parts.links),
    linkStillPending: linkStillPending(parts.clocks.business),
    limitsOf: letterLimitsOf(service.sql, service.config),
  });
  while ((await mailer()) > 0);
  return sent;
}

const unsigned = (name: string) => `${name}+nosign@example.com`;

const mandate = (email: string, key?: string, on = service) =>
  on.call('POST', '/adhesion', {
    body: adhesionBody({ email }),
    ...(key !== undefined && { key }),
  });

async function mandates(count: number, emailOf: (nth: number) => string): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, (_one, nth) =>
      mandate(emailOf(from + nth)),
    );
    for (const { status } of await Promise.all(some)) expect(status).toBe(201);
  }
}

const inState = async (state: string): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from mails where state = ${state}`;
  return row?.count ?? -1;
};

/** Returns addresses that all reach one mailbox. */
const oneMailbox = (nth: number) =>
  [unsigned('victim'), `victim+${nth}+nosign@example.com`, unsigned('VICTIM')][nth % 3] ?? '';

test('sends at most ten e-mails a day to one mailbox for a thousand mandates, and none after they end', async () => {
  await mandates(1_000, oneMailbox);
  expect(await send()).toHaveLength(10);
  now = now.add({ hours: 23 });
  expect(await send()).toHaveLength(0);
  now = now.add({ hours: 1 });
  expect(await send()).toHaveLength(10);
  expect(await inState('waiting')).toBe(980);
  // The mandates end unsigned, so no more e-mails are due.
  await service.call('POST', '/sandbox/clock', { body: { days: 8 } });
  now = now.add({ hours: 24 });
  expect(await send()).toHaveLength(0);
  expect([await inState('waiting'), await inState('dropped')]).toEqual([0, 980]);
  expect(
    await service.sql`select 1 from mails where state = 'dropped' and ended_at is null`,
  ).toEqual([]);
});

test('frees the limit gradually, as each e-mail becomes a day old', async () => {
  await mandates(4, () => unsigned('ana'));
  expect(await send()).toHaveLength(4);
  now = now.add({ hours: 5 });
  await mandates(16, () => unsigned('ana'));
  expect(await send()).toHaveLength(6);
  now = now.add({ hours: 19 });
  expect(await send()).toHaveLength(4);
  now = now.add({ hours: 5 });
  expect(await send()).toHaveLength(6);
  expect(await inState('waiting')).toBe(0);
});

test('shares the limit between concurrent senders', async () => {
  await mandates(60, oneMailbox);
  const sent = await Promise.all([send(), send(), send(), send()]);
  expect(sent.flat()).toHaveLength(10);
  expect(new Set(sent.flat().map(({ messageId }) => messageId)).size).toBe(10);
});

test('resends e-mails of a crashed process, and counts them once', async () => {
  await mandates(30, oneMailbox);
  const begun: string[] = [];
  const enough = Promise.withResolvers<void>();
  const dies: Transport = ({ messageId }) => {
    begun.push(messageId);
    if (begun.length === 10) enough.resolve();
    return new Promise(() => {});
  };
  void send(dies);
  await enough.promise;
  expect(await send()).toHaveLength(0);
  now = now.add({ minutes: 5 });
  const again = await send();
  expect(again.map(({ messageId }) => messageId).toSorted()).toEqual(begun.toSorted());
  now = now.add({ hours: 12 });
  expect(await send()).toHaveLength(0);
});

test('counts a refused e-mail and its retries once', async () => {
  await mandates(12, oneMailbox);
  const refuses: Transport = () => Promise.reject(new Error('greylisted'));
  await send(refuses);
  now = now.add({ minutes: 1 });
  expect(await send()).toHaveLength(10);
  now = now.add({ hours: 1 });
  expect(await send()).toHaveLength(0);
});

test('does not delay other accounts’ e-mails to the same mailbox', async () => {
  const other = await anotherAccount(service);
  await mandates(40, oneMailbox);
  await mandate(unsigned('victim'), other.key);
  const sent = await send();
  expect(sent).toHaveLength(11);
  expect(sent.filter(({ messageId }) => messageId.startsWith(`<${other.id}.`))).toHaveLength(1);
});

test('frees no limit when the sandbox’s clock moves by days, and still sends a signed mandate’s copy', async () => {
  await mandates(15, oneMailbox);
  expect(await send()).toHaveLength(10);
  await service.call('POST', '/sandbox/clock', { body: { days: 3 } });
  expect(await send()).toHaveLength(0);
  const { body } = await mandate(unsigned('bea'));
  const { parts } = service.service;
  const key = { accountId: testAccount, kind: 'adhesion' as const, id: body.id };
  const copy = { recipient: unsigned('bea'), subject: 'Copia', body: 'Firmado', link: null };
  await parts.mandates.answer.sign({
    key,
    actor: payer,
    address: '192.0.2.1',
    userAgent: 'test',
    text: 'Acepto',
    copy,
  });
  expect((await send()).map(({ subject }) => subject)).toContain('Copia');
});

describe('solicited bulk mail', () => {
  test('paces solicited bulk mail per minute, and never refuses it', async () => {
    await mandates(300, (nth) => unsigned(`socio${nth}`));
    const sent: number[] = [];
    for (let minutes = 0; minutes < 3; minutes += 1) {
      sent.push((await send()).length);
      now = now.add({ minutes: 1 });
    }
    expect(sent).toEqual([120, 120, 60]);
  });

  test('does not delay the system’s reminders or other accounts’ e-mails during bulk mail', async () => {
    const other = await anotherAccount(service);
    await mandates(200, (nth) => unsigned(`socio${nth}`));
    expect(await send()).toHaveLength(120);
    // A reminder that no user of the account sent does not count toward the limit.
    const { body } = await mandate(unsigned('last'));
    const { parts } = service.service;
    await parts.mandates.remind({
      key: { accountId: testAccount, kind: 'adhesion', id: body.id },
      newLink: true,
      actor: system,
    });
    await mandate(unsigned('other'), other.key);
    const recipients = (await send()).map(({ recipient }) => recipient);
    expect(recipients.toSorted()).toEqual([unsigned('last'), unsigned('other')]);
  });

  test('applies the limits that the operator set for an account', async () => {
    await service.sql`
      update accounts set settings = '{"letters_a_day": 2, "letters_a_minute": 0}'
      where id = ${testAccount}`;
    await mandates(150, (nth) => unsigned(`socio${nth % 50}`));
    expect(await send()).toHaveLength(100);
  });
});

describe('unsigned mandates', () => {
  const limit = (most: number) => service.sql`
    update accounts set settings = jsonb_build_object('unsigned_mandates', ${most}::int)
    where id = ${testAccount}`;
  const create = (nth: number, on = service) =>
    on.call('POST', nth % 2 === 0 ? '/adhesion' : '/card-adhesion', {
      body: (nth % 2 === 0 ? adhesionBody : cardAdhesionBody)({ email: unsigned(`n${nth}`) }),
      headers: { 'idempotency-key': `unsigned-${nth}` },
    });

  test('limits unsigned mandates per account across both kinds and all processes, and replays repeats', async () => {
    await limit(7);
    const calls = Array.from({ length: 24 }, (_one, nth) =>
      create(nth, nth % 3 === 0 ? second : service),
    );
    const answers = await Promise.all(calls);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(7);
    expect(statuses.filter((status) => status === 409)).toHaveLength(17);
    const created = statuses.indexOf(201);
    const refused = statuses.indexOf(409);
    expect(answers[refused]?.body.message).toContain('at most 7 unsigned mandates');
    // Bodies differ by their reference: the key alone must not be enough to replay a response.
    expect((await create(created)).status).toBe(422);
    const body = adhesionBody({ email: unsigned('again') });
    const again = (on: TestService) =>
      on.call('POST', '/adhesion', { body, headers: { 'idempotency-key': 'unsigned-again' } });
    expect((await again(service)).status).toBe(409);
    // A refused call stores nothing: its key is free for a later attempt.
    await limit(8);
    const first = await again(service);
    expect(first.status).toBe(201);
    expect((await again(second)).text).toBe(first.text);
    const { key } = await anotherAccount(service);
    expect((await mandate(unsigned('other'), key)).status).toBe(201);
    expect((await mandate(unsigned('full'))).status).toBe(409);
    const ended = await service.call('PUT', `/adhesion/${first.body.id}/cancel`, { body: {} });
    expect(ended.status).toBe(200);
    expect((await mandate(unsigned('room'))).status).toBe(201);
  });

  test('does not limit signed mandates', async () => {
    await limit(1);
    for (let nth = 0; nth < 5; nth += 1)
      expect((await mandate('ana@example.com')).status).toBe(201);
  });
});
