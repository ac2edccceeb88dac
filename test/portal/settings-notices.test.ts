import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { moveAccount, setAccount } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { setStanding } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { cbuEndingIn } from '../harness/builders/mandates.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let owner: Office;
const page = `/portal/${testAccount}/settings/notifications`;
const every = ['rejected_debits', 'disputes', 'payouts', 'webhooks', 'summary'];

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
  const { base } = service.service.parts;
  const money = { accountId: testAccount, reference: 'x', note: 'n', actor: testOperator };
  await correct(base)({ ...money, amount: centavos(900_000) });
  const acting = { ...base, actor: testOperator };
  await setAccount(acting)({ accountId: testAccount, payoutCbu: cbuEndingIn('1111') });
});
beforeEach(async () => {
  await service.sql`delete from mails`;
  await service.sql`delete from notice_marks`;
  await service.sql`update memberships set notices = '{}'`;
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const wish = (topics: readonly string[], office = owner) => office.post(page, { topics });
const letters = () => service.sql<{ recipient: string; body: string }[]>`
  select recipient, body from mails where subject like '%: novedades' order by recipient`;

/** Runs the notifier a quarter of an hour later. */
async function tell(): Promise<void> {
  await service.sql`update notice_marks set look_at = look_at - interval '15 minutes'`;
  await service.service.parts.digests.tell();
}

let paid = 0;
async function payout(): Promise<void> {
  paid += 1;
  const wanted = { accountId: testAccount, amount: centavos(100), actor: testOperator };
  await sendPayout(service.service.parts.base)({ ...wanted, reference: `p${paid}` });
}

/** Inserts events into the feed, like a bank's file. */
const happened = (type: string, count: number) => service.sql`
  insert into events (account_id, id, entity, entity_id, version, type, at, actor, data, position)
  select ${testAccount}, 900000000 + base + n, 'debit_request', (900000000 + base + n)::text, 1,
    ${type}, now(), 'system', '{}', last + n
  from generate_series(1, ${count}::int) as n,
    (select coalesce(max(position), 0) as last, coalesce(max(id), 0) as base from events
      where account_id = ${testAccount}) as place`;

test('sends no news before a subscription, and none about earlier events', async () => {
  await payout();
  await tell();
  expect(await letters()).toHaveLength(0);
  await wish(every);
  await tell();
  expect(await letters()).toHaveLength(0);
});

test('sends news once to each subscriber, and subscribes each person separately', async () => {
  const treasury = await signIn(service, 'treasury');
  const collections = await signIn(service, 'collections');
  await wish(['payouts']);
  await wish(['rejected_debits'], collections);
  await wish(['payouts', 'rejected_debits'], treasury);
  await payout();
  await payout();
  await happened('debit_request.rejected', 3);
  await tell();
  const told = new Map((await letters()).map(({ recipient, body }) => [recipient, body]));
  expect(told.size).toBe(3);
  expect(
    told.get(owner.email)?.match(/se pagaron \$\s1,00 a la CBU terminada en 1110/g),
  ).toHaveLength(2);
  expect(told.get(owner.email)).not.toContain('débitos');
  expect(told.get(collections.email)).toContain('3 débitos rechazados');
  expect(told.get(collections.email)).not.toContain('se pagaron');
  expect(told.get(treasury.email)).toContain('3 débitos rechazados');
  await service.sql`delete from mails`;
  await tell();
  expect(await letters()).toHaveLength(0);
});

test('sends one e-mail about ten thousand rejections and many payouts', async () => {
  await wish(every);
  await happened('card_debit_request.rejected', 10_000);
  for (let count = 0; count < 13; count += 1) await payout();
  await tell();
  const [letter, ...others] = await letters();
  expect(others).toEqual([]);
  expect(letter?.body).toContain('10000 débitos rechazados');
  expect(letter?.body).toContain('y 3 más');
  await happened('debit_request.reverted', 1);
  await service.service.parts.digests.tell();
  expect(await letters()).toHaveLength(1);
});

test('sends once from concurrent workers', async () => {
  await wish(['payouts']);
  await payout();
  await service.sql`update notice_marks set look_at = look_at - interval '1 hour'`;
  const { digests } = service.service.parts;
  await Promise.all([digests.tell(), digests.tell(), digests.tell()]);
  expect(await letters()).toHaveLength(1);
});

test('notifies other accounts on time when one cannot be notified', async () => {
  await wish(['payouts']);
  await payout();
  // More accounts than one batch holds come first, one of which cannot be notified.
  await service.sql`
    insert into notice_marks (account_id, position, payouts, webhooks, summary_day, look_at)
    select 'C' || lpad(no::text, 7, '0'), 0, '{}', '{}', '2026-01-01', now() - interval '1 day'
    from generate_series(1, 70) as no`;
  await service.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$;
    create trigger refuses before delete on notice_marks for each row
      when (old.account_id = 'C0000002') execute function refuse()`);
  await service.sql`
    update notice_marks set look_at = look_at - interval '15 minutes'
    where account_id = ${testAccount}`;
  const { digests } = service.service.parts;
  await expect(digests.tell()).rejects.toThrow('Users of some accounts could not be notified.');
  expect(await digests.tell()).toBe(21);
  expect(await letters()).toHaveLength(1);
  expect(await service.sql`select account_id from notice_marks where account_id like 'C%'`).toEqual(
    [{ account_id: 'C0000002' }],
  );
  await service.sql`drop trigger refuses on notice_marks`;
  await service.sql`
    update notice_marks set look_at = look_at - interval '15 minutes'
    where account_id = 'C0000002'`;
  expect([await digests.tell(), await digests.tell()]).toEqual([1, 0]);
});

test('reports a completed day once, with its collections', async () => {
  await wish(['summary']);
  await tell();
  await service.call('POST', '/sandbox/clock', { body: { days: 3 } });
  await tell();
  await tell();
  const all = await letters();
  expect(all).toHaveLength(1);
  expect(all[0]?.body).toMatch(/se cobraron \$\s0,00 en 0 pagos/);
});

test('stops news for a user who lost the role or left', async () => {
  const office = await signIn(service, 'treasury');
  await wish(['payouts'], office);
  const { users } = service.service.parts;
  const account = { id: testAccount, name: 'x' };
  const change = { account, userId: office.userId, granting: 'owner' as const };
  await users.changeMember(testOperator, { ...change, role: 'collections' });
  await payout();
  await tell();
  expect(await letters()).toHaveLength(0);
  await users.changeMember(testOperator, { ...change, role: null });
  await payout();
  await tell();
  expect(await letters()).toHaveLength(0);
  const [row] = await service.sql`select count(*)::int as count from notice_marks`;
  expect(row).toEqual({ count: 0 });
});

test('resumes news for a reinstated user, without news from the time of the suspension', async () => {
  await wish(['payouts']);
  const acting = { ...service.service.parts.base, actor: testOperator };
  await setStanding(acting, { userId: owner.userId, to: 'suspended' });
  await payout();
  await tell();
  await setStanding(acting, { userId: owner.userId, to: 'active' });
  await tell();
  expect(await letters()).toHaveLength(0);
  await payout();
  await tell();
  expect(await letters()).toHaveLength(1);
  owner = await signIn(service, 'owner');
});

test('does not restore the subscription of a user who left and returned', async () => {
  const office = await signIn(service, 'treasury');
  await wish(['payouts'], office);
  const { users, digests } = service.service.parts;
  const account = { id: testAccount, name: 'x' };
  const change = { account, userId: office.userId, granting: 'owner' as const };
  await users.changeMember(testOperator, { ...change, role: null });
  await service.sql`
    update memberships set state = 'active' where user_id = ${office.userId}`;
  expect(await digests.wishes(testAccount, office.userId)).toEqual([]);
});

test('restarts notices when a choice is repeated after its position was deleted', async () => {
  await wish(['payouts']);
  await service.sql`delete from notice_marks`;
  await wish(['payouts']);
  await payout();
  await tell();
  expect(await letters()).toHaveLength(1);
});

test('keeps a choice made while the former position is being deleted', async () => {
  await wish(['payouts']);
  await wish([]);
  let chosen: Promise<unknown> = Promise.resolve();
  await service.sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`
      select pg_backend_pid() as pid from notice_marks
      where account_id = ${testAccount} for update`;
    chosen = wish(['payouts']);
    const isMade = async () => {
      const [row] = await service.sql<{ waiting: boolean; wished: boolean }[]>`
        select exists (select from pg_locks where not granted
            and ${own?.pid ?? 0}::int = any(pg_blocking_pids(pid))) as waiting,
          exists (select from memberships where notices <> '{}') as wished`;
      expect(row?.waiting || row?.wished).toBe(true);
    };
    await vi.waitFor(isMade, { timeout: 5_000, interval: 20 });
    await tx`delete from notice_marks where account_id = ${testAccount}`;
  });
  await chosen;
  await payout();
  await tell();
  expect(await letters()).toHaveLength(1);
});

test('ignores topics outside the role’s permissions, and refuses unknown ones', async () => {
  const office = await signIn(service, 'collections');
  expect((await wish(['everything'], office)).status).toBe(400);
  expect((await wish(every, office)).location).toBe(`${page}?saved=1`);
  const { digests } = service.service.parts;
  const wishes = await digests.wishes(testAccount, office.userId);
  expect(wishes.sort()).toEqual(['disputes', 'rejected_debits', 'summary']);
  expect((await office.get(page)).text).not.toContain('value="payouts"');
});

test('writes one event per change, with its actor, and none for a repeated choice', async () => {
  const office = await signIn(service, 'owner');
  await Promise.all([wish(['payouts'], office), wish(['payouts'], office)]);
  const events = await service.sql<{ actor: string; data: { notices: string[] } }[]>`
    select actor, data from events where type = 'membership.notices_chosen'
      and entity_id = ${String(office.userId)}`;
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    actor: `user:${office.userId}`,
    data: { notices: ['payouts'] },
  });
});

test('sends no news of a closed account', async () => {
  const { id } = await anotherAccount(service);
  const office = await signIn(service, 'owner', { accountId: id });
  await office.post(`/portal/${id}/settings/notifications`, { topics: ['summary'] });
  const acting = { ...service.service.parts.base, actor: testOperator };
  await moveAccount(acting, { accountId: id, move: 'close', reason: 'x' });
  await service.call('POST', '/sandbox/clock', { body: { days: 2 } });
  await tell();
  expect(await letters()).toHaveLength(0);
});

test('chooses notices without scripts, on an accessible page', async () => {
  const at = { origin: service.origin, office: owner, path: page };
  const shown = await openPage(browser, at, { javaScriptEnabled: false });
  await shown.getByLabel('Contracargos').check();
  await shown.getByRole('button', { name: 'Guardar' }).click();
  expect(await shown.getByLabel('Contracargos').isChecked()).toBe(true);
  expect(await shown.textContent('[role=status]')).toContain('quedó guardada');
  await shown.context().close();
  await lookAtPage(browser, at, 'settings-notifications');
});
