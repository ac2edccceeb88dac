import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Queryable } from '../../src/platform/postgres/connect.ts';
import { countTry, forgiveTries } from '../../src/users/sign-in/tries.ts';
import { type Office, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
afterAll(() => service.stop());

const users = () => service.service.parts.users;
const words = 'tres tristes tigres';
const network = '192.0.2.1';
const browser = { address: network, userAgent: 'test' };

const signsIn = ({ email }: Office) =>
  users().signIn({ email, password: testPassword, browser, network });

const sessionsOf = ({ userId }: Office) => service.sql<{ factor_due: boolean }[]>`
  select factor_due from user_sessions where user_id = ${userId}`;

/** Tracks whether a promise is settled. */
function watched<T>(asked: Promise<T>): { outcome: Promise<T>; isOver(): boolean } {
  let over = false;
  const end = (): void => {
    over = true;
  };
  asked.then(end, end);
  return { outcome: asked, isOver: () => over };
}

/** Waits until each of these calls waits for a lock or has ended. */
async function untilHeld(holder: Queryable, ...asked: { isOver(): boolean }[]): Promise<void> {
  const [own] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await vi.waitFor(async () => {
    const rows = await service.sql`
      select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
        and pid <> ${own?.pid ?? 0}`;
    expect(rows.length + asked.filter((one) => one.isOver()).length).toBe(asked.length);
  });
}

test('refuses a sign-in that races with a password change', async () => {
  const office = await signIn(service, 'owner');
  const asked = await service.sql.begin(async (tx) => {
    await tx`update users set password_hash = 'another' where id = ${office.userId}`;
    await tx`delete from user_sessions where user_id = ${office.userId}`;
    const signing = watched(signsIn(office));
    await untilHeld(tx, signing);
    return signing;
  });
  expect(await asked.outcome).toEqual({ kind: 'wrong' });
  expect(await sessionsOf(office)).toEqual([]);
});

test('asks for a second factor that was enabled during the sign-in', async () => {
  const office = await signIn(service, 'owner');
  const asked = await service.sql.begin(async (tx) => {
    await tx`
      update users set totp_since = now(), totp_key_id = 'test', totp_ciphertext = '\\x00'
      where id = ${office.userId}`;
    await tx`delete from user_sessions where user_id = ${office.userId}`;
    const signing = watched(signsIn(office));
    await untilHeld(tx, signing);
    return signing;
  });
  expect(await asked.outcome).toMatchObject({ kind: 'in', factorDue: true });
  expect(await sessionsOf(office)).toEqual([{ factor_due: true }]);
});

test('changes nothing for a user whose session ends during a password change', async () => {
  const office = await signIn(service, 'owner');
  const who = await users().findSession(office.cookie.split('=')[1] ?? '');
  if (who === null) throw new Error('no session');
  const asked = await service.sql.begin(async (tx) => {
    await tx`update users set password_hash = 'another' where id = ${office.userId}`;
    await tx`delete from user_sessions where user_id = ${office.userId}`;
    const actor = { kind: 'user', id: office.userId } as const;
    const changing = watched(
      users().changePassword(actor, {
        ...{ who, current: testPassword, password: words },
        ...{ network: '203.0.113.9', device: null },
      }),
    );
    await untilHeld(tx, changing);
    return changing;
  });
  await expect(asked.outcome).rejects.toMatchObject({ status: 404 });
  const [user] = await service.sql`select password_hash from users where id = ${office.userId}`;
  expect(user).toEqual({ password_hash: 'another' });
});

test('does not confirm a TOTP secret that was replaced in the meantime', async () => {
  const office = await signIn(service, 'owner');
  const actor = { kind: 'user', id: office.userId } as const;
  const who = await users().findSession(office.cookie.split('=')[1] ?? '');
  if (who === null) throw new Error('no session');
  const draw = async () => {
    await users().beginFactor(actor, who.user);
    const [stored] = await service.sql<{ totp_ciphertext: Buffer }[]>`
      select totp_ciphertext from users where id = ${office.userId}`;
    const enrolment = await users().pendingFactor(who.user);
    if (!stored || !enrolment) throw new Error('nothing was drawn');
    return { ciphertext: stored.totp_ciphertext, secret: enrolment.secret };
  };
  const [anew, drawn] = [await draw(), await draw()];
  const code = new TOTP({ secret: Secret.fromBase32(drawn.secret) }).generate();
  const asked = await service.sql.begin(async (tx) => {
    await tx`
      update users set totp_ciphertext = ${anew.ciphertext} where id = ${office.userId}`;
    const confirming = watched(users().confirmFactor(actor, { user: who.user, code }));
    await untilHeld(tx, confirming);
    return confirming;
  });
  expect(await asked.outcome).toEqual({ kind: 'wrong' });
});

test('accepts only one of two reset links followed at once', async () => {
  const office = await signIn(service, 'owner');
  for (const count of [1, 2]) {
    await users().askReset({ email: office.email, network });
    await vi.waitFor(async () =>
      expect(
        await service.sql`select from user_links where user_id = ${office.userId}`,
      ).toHaveLength(count),
    );
  }
  const links = await service.sql<{ account_id: string; id: number }[]>`
    select account_id, id from user_links where user_id = ${office.userId} order by id`;
  const asked = await service.sql.begin(async (tx) => {
    await tx`select from users where id = ${office.userId} for update`;
    const followed = links.map(({ account_id: accountId, id }) =>
      watched(
        users().useLink({ key: { accountId, id }, kind: 'reset', network: 'n', password: words }),
      ),
    );
    await untilHeld(tx, ...followed);
    return followed;
  });
  const outcomes = await Promise.allSettled(asked.map(({ outcome }) => outcome));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 404 },
  });
});

test('locks the rows of attempts in a fixed order, so that forgiving them cannot deadlock', async () => {
  const subjectOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  const person = 'ring@example.com';
  const own = subjectOf(`person ${person}`);
  const address = Array.from({ length: 100 }, (_none, no) => `ring-${no}`).find(
    (name) => Buffer.compare(own, subjectOf(`address ${name}`)) < 0,
  );
  if (address === undefined) throw new Error('no address lies behind the person');
  const tried = { address, person };
  const rules = {
    tries: 10,
    lockMinutes: 30,
    idleMinutes: 15,
    passwords: true,
    providerFactors: false,
  };
  await countTry(service.sql, tried, { now: service.service.parts.clocks.wall.now(), rules });
  const asked = await service.sql.begin(async (tx) => {
    const held = (subject: Buffer) => tx`
      update user_tries set tries = tries + 1 where subject = ${subject}`;
    await held(own);
    const forgiving = watched(service.sql.begin((other) => forgiveTries(other, tried, rules)));
    await untilHeld(tx, forgiving);
    await held(subjectOf(`address ${address}`));
    return forgiving;
  });
  await asked.outcome;
  expect(await service.sql`select from user_tries where subject = ${own}`).toEqual([]);
});
