import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openTamperer, type Tamperer } from '../harness/tamper.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { recaudo } from './run.ts';

vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
let player: Player;
let tamperer: Tamperer;
let late: number[];
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  tamperer = openTamperer(service);
});
afterAll(async () => {
  await tamperer.end();
  await service.stop();
});

const audit = (...args: string[]) =>
  recaudo(['audit', ...args], { DATABASE_URL: service.databaseUrl });

const released = async (): Promise<{ id: number; days: number }[]> =>
  await service.sql<{ id: number; days: number }[]>`
    select id, released_on - available_on as days from results
    where account_id = ${testAccount} and type = 'collected' and released_on is not null
    order by id`;

test('accepts a release after midnight without a remark', async () => {
  const id = await player.create();
  await player.pay(id, { channel: 'wire_transfer' });
  await service.service.parts.clocks.moveTo(
    service.service.parts.clocks.business.now().add({ hours: 24 }),
  );
  await player.move({ minutes: 0 });
  expect((await released()).map(({ days }) => days)).toEqual([1]);
  expect(await audit()).toEqual({ code: 0, stdout: '1 accounts add up\n', stderr: '' });
});

test('reports late releases after a long outage as remarks, and exits 0 because the books add up', async () => {
  const { clocks } = service.service.parts;
  for (let count = 0; count < 2; count += 1) {
    await player.pay(await player.create(), { channel: 'wire_transfer' });
  }
  const overdue = await player.create();
  // Moves the clock without running sweeps, like an outage of several days.
  await clocks.moveTo(clocks.business.now().add({ hours: 24 * 30 }));
  const { code, stdout } = await audit('--json', '--account', testAccount);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      account: testAccount,
      kind: 'remark',
      what: `request ${overdue} is past due but still pending: no sweep has run since`,
    },
  ]);

  await player.move({ minutes: 0 });
  late = (await released()).filter(({ days }) => days > 1).map(({ id }) => id);
  expect(late).toHaveLength(2);
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  const after = await audit();
  expect(after).toMatchObject({ code: 0, stderr: '' });
  expect(after.stdout).toMatch(
    new RegExp(
      `${testAccount} +remark +result ${late[0]} and 1 more, promised for [\\d-]+, became ` +
        `available on [\\d-]+: no sweep ran that day\n1 accounts add up\n$`,
    ),
  );
});

test.each([
  ['without a note', `delete from events where entity = 'late_release'`],
  [
    'with the note of another day',
    `update events set at = at - interval '1 day' where entity = 'late_release'`,
  ],
  [
    'with the note of another promise',
    `update events set data = replace(data::text, '"available_on":"2', '"available_on":"3')::json
     where entity = 'late_release'`,
  ],
  [
    'with a note for one of two results',
    `update events set data = json_build_object('results', json_build_array(data->'results'->0))
     where entity = 'late_release'`,
  ],
])('reports a late release %s as a fault', async (_what, statement) => {
  const faults = await tamperer.faultsAfter(statement, { sealed: false });
  expect(faults.some((what) => what.endsWith(', without a recorded reason'))).toBe(true);
});

test('prints faults before remarks, and exits 1', async () => {
  const all = await released();
  await service.sql`update results set released_on = released_on + 9 where id = ${all[0]?.id ?? 0}`;
  const { code, stdout } = await audit('--json', '--since', '01-01-2026');
  expect(code).toBe(1);
  const kinds = JSON.parse(stdout).map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(kinds.toSorted());
  expect(new Set(kinds)).toEqual(new Set(['fault', 'remark']));
  expect((await audit('--since', 'yesterday')).code).toBe(2);
});
