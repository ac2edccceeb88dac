import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifyOwnersLater } from '../../src/users/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { registration } from './account.ts';

let service: TestService;
let owner: string;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  owner = (await signIn(service, 'owner')).email;
});
afterAll(() => service.stop());

/** Returns the e-mails about webhooks, each with the transaction that wrote it. */
const letters = () => service.sql<{ subject: string; tx: string }[]>`
  select subject, xmin::text as tx from mails
  where recipient = ${owner} and subject like '%webhook%' order by id`;

const writtenBy = async (id: number) => {
  const [row] = await service.sql<{ tx: string }[]>`
    select xmin::text as tx from webhooks where account_id = ${testAccount} and id = ${id}`;
  return row?.tx;
};

test('writes an e-mail in the transaction of each change by a key', async () => {
  const body = registration('http://127.0.0.1:9/hook');
  const headers = { 'idempotency-key': 'once' };
  const made = await service.call('POST', '/webhook', { body, headers });
  const { id } = made.body;
  expect((await letters()).map(({ tx }) => tx)).toEqual([await writtenBy(id)]);
  // A repeated call changes nothing and sends nothing.
  await service.call('POST', '/webhook', { body, headers });
  expect(await letters()).toHaveLength(1);
  const changes: [method: 'POST' | 'DELETE', path: string, text: string][] = [
    ['POST', `/webhook/${id}/rotate-secret`, 'se cambió el secreto del webhook'],
    ['DELETE', `/webhook/${id}`, 'se quitó el webhook'],
  ];
  for (const [method, path, text] of changes) {
    const before = await letters();
    expect([200, 204]).toContain((await service.call(method, path)).status);
    const after = await letters();
    expect(after).toHaveLength(before.length + 1);
    expect([after.at(-1)?.tx, after.at(-1)?.subject]).toEqual([
      await writtenBy(id),
      expect.stringContaining(text),
    ]);
  }
});

test('sends ten e-mails a day for a key that loops, then one with a count', async () => {
  const { digests, base } = service.service.parts;
  const sent = (await letters()).length;
  const before = async () => (await letters()).length - sent;
  const change = async (times: number): Promise<void> => {
    for (let one = 0; one < times; one += 1) {
      const body = registration('http://127.0.0.1:9/loop');
      const made = await service.call('POST', '/webhook', { body });
      await service.call('DELETE', `/webhook/${made.body.id}`);
    }
  };
  await change(10);
  // Three e-mails on this topic were sent earlier.
  expect(await before()).toBe(7);
  expect(await digests.notifyFolded()).toBe(0);
  const later = async (hours: number): Promise<number> => {
    await service.sql`
      update folded_notices set tell_at = tell_at - make_interval(hours => ${hours}),
        since = since - make_interval(hours => ${hours})`;
    return await digests.notifyFolded();
  };
  expect([await later(1), await later(1)]).toEqual([1, 0]);
  expect((await letters()).at(-1)?.subject).toContain('hubo otros 13 cambios en los webhooks');
  // On the same day, two concurrent processes send one combined e-mail.
  await change(1);
  await service.sql`update folded_notices set tell_at = ${base.clocks.wall.now()}::timestamptz`;
  const told = await Promise.all([digests.notifyFolded(), digests.notifyFolded()]);
  expect(told.toSorted()).toEqual([0, 1]);
  expect(await before()).toBe(9);
  // From the next day on, every change is reported again.
  expect(await later(24)).toBe(0);
  await change(2);
  expect(await before()).toBe(13);
});

test('notifies other owners when some cannot be notified', async () => {
  const { base } = service.service.parts;
  const now = base.clocks.wall.now();
  await service.sql`
    insert into folded_notices (account_id, topic, since, letters, folded, tell_at)
    select 'B' || lpad(no::text, 7, '0'), 'keys', ${now}::timestamptz, 11, 1,
      ${now.subtract({ hours: 2 })}::timestamptz + make_interval(secs => no)
    from generate_series(1, 51) as no`;
  const told: string[] = [];
  const nameOf = async (accountId: string): Promise<string> => {
    if (accountId < 'B0000051') throw new Error('no name');
    told.push(accountId);
    return 'Club';
  };
  await expect(notifyOwnersLater(base, nameOf)).rejects.toThrow('could not be notified');
  expect([await notifyOwnersLater(base, nameOf), told]).toEqual([1, ['B0000051']]);
  const waiting = await service.sql`
    select 1 from folded_notices where account_id like 'B00000%' and folded = 1
      and tell_at > ${now}::timestamptz`;
  expect(waiting).toHaveLength(50);
  await service.sql`delete from folded_notices where account_id like 'B00000%'`;
});

test('leaves neither webhook nor e-mail of a rolled-back change', async () => {
  const superuser = connectSuperuser(service.databaseUrl, { max: 1, applicationName: 'refuse' });
  await superuser.unsafe(`
    create function refuse_commit() returns trigger language plpgsql as
      $$ begin raise exception 'refused at commit'; end $$;
    create constraint trigger refuse_commit after insert on webhooks
      deferrable initially deferred for each row execute function refuse_commit()`);
  const counts = async () => {
    const [row] = await service.sql<{ count: number }[]>`
      select count(*)::int as count from webhooks`;
    return [row?.count, (await letters()).length];
  };
  const before = await counts();
  try {
    const body = registration('http://127.0.0.1:9/other');
    const refused = await service.call('POST', '/webhook', { body });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(await counts()).toEqual(before);
  } finally {
    await superuser.unsafe('drop function refuse_commit() cascade');
    await superuser.end();
  }
});
