import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBase } from '../../../src/composition/base.ts';
import { reminderSweep } from '../../../src/payment-requests/mails/remind.ts';
import { createLog } from '../../../src/platform/log.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { advanceToNoon, inDays } from '../../harness/builders/clock.ts';
import { allOff, mailDesk } from '../../harness/builders/payer-mails.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;
let made = 0;
const address = (): string => `luz${++made}@example.com`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', LETTERS_A_MINUTE: '0' });
  player = playerOf(service);
  desk = mailDesk(service);
  await advanceToNoon(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await desk.set(allOff);
  await desk.set({ reminder: true, reminderDays: 3 });
});

const due = (days: number) => ({ first_due_date: inDays(service, days) });

async function move(days: number): Promise<void> {
  await player.move({ days });
  await desk.work();
}

const subjects = async (email: string): Promise<string[]> =>
  (await desk.readOf(email)).map(({ subject }) => subject);

test('reminds once of a due date, the configured number of days ahead', async () => {
  const email = address();
  await player.create({ payer_email: email, ...due(10) });
  await move(6);
  expect(await subjects(email)).toEqual([]);
  await move(1);
  expect(await subjects(email)).toEqual([expect.stringMatching(/^Recordatorio: \$ 1\.430,50/)]);
  await move(1);
  await desk.set({ reminder: true, reminderDays: 1 });
  await move(1);
  expect(await subjects(email)).toHaveLength(1);
});

test.each([
  ['at once', []],
  ['after reminders were off for a while', [allOff]],
])(
  'reminds of each due date once after an account reduces the days ahead (%s)',
  async (_, first) => {
    await desk.set({ reminder: true, reminderDays: 10 });
    const early = address();
    await player.create({ payer_email: early, ...due(9) });
    await move(1);
    expect(await subjects(early)).toHaveLength(1);
    for (const settings of first) await desk.set(settings);
    await desk.set({ reminder: true, reminderDays: 3 });
    const email = address();
    await player.create({ payer_email: email, ...due(7) });
    await move(3);
    expect(await subjects(email)).toEqual([]);
    await move(2);
    expect(await subjects(email)).toHaveLength(1);
    await move(2);
    expect([await subjects(email), await subjects(early)].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
  },
);

test('reminds of the second due date after the first, with its own amount', async () => {
  const email = address();
  const second = { second_due_date: inDays(service, 12), second_total: 1500 };
  await player.create({ payer_email: email, ...due(10), ...second });
  await move(8);
  expect(await subjects(email)).toHaveLength(1);
  await move(2);
  expect(await subjects(email)).toHaveLength(1);
  await move(1);
  expect((await subjects(email)).filter((one) => one.includes('$ 1.500,00'))).toHaveLength(1);
  await move(1);
  expect(await subjects(email)).toHaveLength(2);
});

test('sends no reminder of a paid or withdrawn request', async () => {
  const [paid, withdrawn] = [address(), address()];
  const id = await player.create({ payer_email: paid, ...due(10) });
  const taken = await player.create({ payer_email: withdrawn, ...due(10) });
  await player.pay(id);
  const { base, requests } = service.service.parts;
  const eventIds = [await base.recordIds.next()];
  const ctx = { accountId: testAccount, actor: { kind: 'system' } as const, requestId: 'x' };
  await base.sql.begin((tx) =>
    requests.withdraw(tx, ctx, { ids: [taken], eventIds, comment: 'error' }),
  );
  await move(8);
  expect([await subjects(paid), await subjects(withdrawn)]).toEqual([[], []]);
});

test('sends no reminder of a request paid shortly before the e-mail is sent', async () => {
  const email = address();
  const id = await player.create({ payer_email: email, ...due(10) });
  await player.move({ days: 8 });
  await player.pay(id);
  await desk.work();
  expect(await subjects(email)).toEqual([]);
});

test('sends no reminders for past days when the clock moves by months', async () => {
  const email = address();
  for (let month = 1; month <= 4; month += 1) {
    await player.create({ payer_email: email, ...due(month * 30) });
  }
  await move(150);
  expect(await subjects(email)).toEqual([]);
});

test('sends no reminders for past days when reminders are turned on', async () => {
  await desk.set(allOff);
  const [soon, today, later] = [address(), address(), address()];
  await player.create({ payer_email: soon, ...due(3) });
  await player.create({ payer_email: today, ...due(4) });
  await player.create({ payer_email: later, ...due(8) });
  await player.move({ days: 1 });
  await desk.set({ reminder: true, reminderDays: 3 });
  await move(1);
  expect([await subjects(soon), await subjects(later)]).toEqual([[], []]);
  expect(await subjects(today)).toHaveLength(1);
});

test('sends no reminder on the day of the request’s own e-mail', async () => {
  await desk.set({ request: true, reminder: true, reminderDays: 3 });
  const email = address();
  await player.create({ payer_email: email, ...due(3) });
  await desk.work();
  await move(1);
  expect(await subjects(email)).toEqual([expect.stringMatching(/^Cobro de/)]);
});

test('reminds of each of a thousand requests due on one day, second due dates included', async () => {
  const email = address();
  const second = { second_due_date: inDays(service, 12), second_total: 1500 };
  for (let no = 0; no < 21; no += 1) {
    const some = Array.from({ length: 50 }, (_, at) =>
      player.create({ payer_email: email, ...due(10), ...(at < 25 && second) }),
    );
    await Promise.all(some);
  }
  const noted = async () => {
    const rows = await service.sql<{ no: number; count: number }[]>`
      select p.no, count(*)::int as count from payer_mails p
      join requests r on r.account_id = p.account_id and r.id = p.request_id
      where p.kind = 'reminder' and r.details->>'payer_email' = ${email}
      group by p.no order by p.no`;
    return rows.map(({ no, count }) => [no, count]);
  };
  await player.move({ days: 7 });
  expect(await noted()).toEqual([[1, 1050]]);
  await player.move({ days: 5 });
  expect(await noted()).toEqual([
    [1, 1050],
    [2, 525],
  ]);
});

test('reminds other accounts’ payers if one account’s reminders fail', async () => {
  const { sql, service: running } = service;
  const email = address();
  const spoilt = await player.create({ payer_email: address(), ...due(10) });
  await player.create({ payer_email: email, ...due(10) });
  await sql`
    insert into accounts select (jsonb_populate_record(a, '{"id": "A0000000"}')).* from accounts a
    where id = ${testAccount}`;
  await sql`update requests set account_id = 'A0000000' where id = ${spoilt}`;
  await sql`
    insert into payer_mail_settings select (jsonb_populate_record(s, '{"account_id": "A0000000"}')).*
    from payer_mail_settings s where account_id = ${testAccount}`;
  await sql`
    insert into payer_mail_marks select (jsonb_populate_record(m, '{"account_id": "A0000000"}')).*
    from payer_mail_marks m where account_id = ${testAccount}`;
  await sql`
    create function spoil() returns trigger language plpgsql as $$ begin raise 'spoilt'; end $$`;
  await sql`
    create trigger spoils before insert on payer_mails for each row
    when (new.account_id = 'A0000000') execute function spoil()`;
  const { base, clocks } = running.parts;
  const at = clocks.business.now().add({ hours: 24 * 7 + 12 });
  await expect(reminderSweep(base).run(at)).rejects.toThrow(
    'Payers of some accounts could not be reminded.',
  );
  await sql`drop trigger spoils on payer_mails`;
  const [row] = await sql`
    select from payer_mails p join requests r on r.account_id = p.account_id and r.id = p.request_id
    where r.details->>'payer_email' = ${email}`;
  expect(row).toBeDefined();
});

test('reminds of each due date once despite concurrent sweeps and a lost connection', async () => {
  const emails = Array.from({ length: 30 }, address);
  for (const email of emails) await player.create({ payer_email: email, ...due(10) });
  const { clocks } = service.service.parts;
  const at = clocks.business.now().add({ hours: 24 * 7 + 12 });
  const connections = [1, 2, 3].map(() =>
    connect(service.databaseUrl, { max: 2, applicationName: 'sweeper' }),
  );
  try {
    const sweeps = await Promise.all(
      connections.map(async (sql) =>
        reminderSweep((await createBase(sql, createLog('silent'))).base),
      ),
    );
    const runs = sweeps.map((sweep) => sweep.run(at).catch(() => 0));
    await service.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'sweeper' and pid <> pg_backend_pid() limit 1`.catch(() => {});
    await Promise.all(runs);
    await Promise.all(sweeps.map((sweep) => sweep.run(at).catch(() => 0)));
    await player.move({ days: 8 });
    await desk.work();
    for (const email of emails) expect(await subjects(email)).toHaveLength(1);
  } finally {
    await Promise.all(connections.map((sql) => sql.end()));
  }
});
