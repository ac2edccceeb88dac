import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { auditIn } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import {
  closeMoneyAlarm,
  countMoneyAlarms,
  listMoneyAlarms,
  readMoneyAlarm,
} from '../../src/money/alarms/index.ts';
import { forgedWaiting, sealAll } from '../../src/money/ledger/index.ts';
import { connect } from '../../src/platform/postgres/connect.ts';
import { stampRow, stampWith } from '../../src/seals/index.ts';
import { testOperator } from '../harness/actors.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments' });
  // Sealing first ensures that journals have stamps from now on; none was posted before.
  await sealEvents(service);
  const { base } = service.service.parts;
  await setAccount({ ...base, actor: testOperator })({
    accountId: testAccount,
    payoutCbu: '2850590940090418135201',
  });
});
afterAll(() => service?.stop());

const faults = async (): Promise<string[]> => {
  const { base, sealer } = service.service.parts;
  return (await auditIn(base.sql, testAccount, { keys: sealer.keys })).map(({ what }) => what);
};

const seal = async (): Promise<void> => {
  const { base, sealer } = service.service.parts;
  await sealAll(base.sql, sealer);
  await sealEvents(service);
};

/**
 * Inserts a correction with its event, journal and delta, as the service writes them, except for
 * the stamp.
 */
async function slipIn(stamp: Buffer | null): Promise<number> {
  const { base } = service.service.parts;
  const [id = 0, journal = 0, event = 0] = await base.recordIds.take(3);
  const now = base.clocks.business.now();
  const data = JSON.stringify({ amount: 999_999.99, reference: `f${id}`, note: 'n' });
  await base.sql.begin(async (tx) => {
    await tx`
      insert into corrections (account_id, id, reference, amount, note, posted_at)
      values (${testAccount}, ${id}, ${`f${id}`}, 99999999, 'n', ${now}::timestamptz)`;
    await tx`
      insert into journals (account_id, id, kind, cause, at, on_date, accounts, amounts, stamp)
      select account_id, ${journal}, kind, ${`correction:${id}`}, ${now}::timestamptz, on_date,
        accounts, array[-99999999, 99999999], ${stamp}::bytea
      from journals where account_id = ${testAccount} and kind = 'correction' order by id limit 1`;
    await tx`
      insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
      select account_id, id, accounts, amounts, array[id] from journals
      where account_id = ${testAccount} and id = ${journal}`;
    await tx`
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      values (${testAccount}, 'correction', ${String(id)}, 1, ${event}, 'correction.posted',
        ${now}::timestamptz, 'system', ${data}::json)`;
  });
  return journal;
}

const payOut = (reference: string) =>
  sendPayout(service.service.parts.base)({
    accountId: testAccount,
    reference,
    amount: centavos(100),
    actor: testOperator,
  });

const openAlarms = async () =>
  await listMoneyAlarms(service.service.parts.base.sql, { all: false, after: 0, limit: 100 });

test('stamps the service’s own postings, sealed or not', async () => {
  const { base } = service.service.parts;
  await correct(base)({
    accountId: testAccount,
    reference: 'genuine',
    note: 'n',
    amount: centavos(500_000),
    actor: testOperator,
  });
  const player = playerOf(service);
  const id = await player.create();
  await player.pay(id);
  await player.refund(id, { amount: 10 });
  expect(await faults()).toEqual([]);
  await seal();
  expect(await faults()).toEqual([]);
  expect(await openAlarms()).toEqual([]);
  await payOut('before');
});

test('does not report journals as forged if they are sealed during a payout’s check', async () => {
  const { base, sealer } = service.service.parts;
  const toCorrect = correct(base);
  let isDone = false;
  const sealing = (async () => {
    while (!isDone) await sealAll(base.sql, sealer);
  })();
  const posting = Array.from({ length: 4 }, async (_, writer) => {
    for (let no = 0; !isDone; no++) {
      const reference = `raced ${writer} ${no}`;
      const amount = centavos(100);
      await toCorrect({
        accountId: testAccount,
        reference,
        note: 'n',
        amount,
        actor: testOperator,
      });
    }
  });
  try {
    for (let asked = 0; asked < 400; asked++) {
      expect(await forgedWaiting(base.sql, testAccount)).toEqual([]);
    }
  } finally {
    isDone = true;
    await Promise.all([sealing, ...posting]);
  }
});

test.each([
  ['without a stamp', null],
  ['with a stamp that no key made', Buffer.alloc(16, 7)],
])(
  'reports a complete correction inserted by SQL %s, and refuses the payout',
  async (_of, stamp) => {
    const before = (await openAlarms()).length;
    const journal = await slipIn(stamp);
    const named = `journal ${journal} was not written by this service`;
    expect(await faults()).toContain(named);
    await expect(payOut(`waiting ${journal}`)).rejects.toThrow('This service did not write');
    await seal();
    expect(await faults()).toContain(named);
    const alarms = await openAlarms();
    expect(alarms).toHaveLength(before + 2);
    const fact = `journal ${testAccount}-${journal}`;
    expect(alarms.find((one) => one.fact === fact)).toMatchObject({
      kind: 'forged_journal',
      account_id: testAccount,
    });
    expect(alarms.at(-1)).toMatchObject({ kind: 'forged_fact', account_id: testAccount });
    await expect(payOut(`sealed ${journal}`)).rejects.toThrow('This service did not write');
  },
);

test('keeps a forged journal unsealed until its alarm is recorded', async () => {
  const { base, sealer } = service.service.parts;
  const journal = await slipIn(null);
  const dying = { ...sealer, forged: () => Promise.reject(new Error('killed')) };
  await expect(sealAll(base.sql, dying)).rejects.toThrow();
  expect((await forgedWaiting(base.sql, testAccount)).map(({ id }) => id)).toContain(journal);
  await expect(payOut(`unsealed ${journal}`)).rejects.toThrow('This service did not write');
  await seal();
  const fact = `journal ${testAccount}-${journal}`;
  expect((await openAlarms()).map((alarm) => alarm.fact)).toContain(fact);
});

/** Closes the open alarms as an operator does, except one. */
async function closeAlarms(except: number | null = null): Promise<void> {
  const { base } = service.service.parts;
  for (const { id } of await openAlarms()) {
    if (id === except) continue;
    const closing = { id, note: 'looked into' };
    expect(await closeMoneyAlarm({ ...base, actor: testOperator }, closing)).toBe('closed');
    expect(await closeMoneyAlarm({ ...base, actor: testOperator }, closing)).toBe('known');
  }
}

test.each([
  ['without a stamp', null, testAccount],
  ['with a stamp that no key made', Buffer.alloc(16, 7), testAccount],
  ['of another account', null, 'FFFFFFFF'],
])(
  'blocks payouts until an operator closes the alarm that was inserted as closed, %s',
  async (of, stamp, accountId) => {
    const { base } = service.service.parts;
    await closeAlarms();
    await payOut(`closed before ${of}`);
    const journal = await slipIn(null);
    const fact = `journal ${testAccount}-${journal}`;
    const id = await base.recordIds.next();
    await service.sql`
    insert into money_alarms (id, kind, fact, message, account_id, raised_at, closed_at, closed_by,
      note, closing_stamp)
    values (${id}, 'forged_journal', ${fact}, 'x', ${accountId}, now(), now(), 'x', 'x',
      ${stamp}::bytea)`;
    await seal();
    await closeAlarms(id);
    expect((await openAlarms()).map((alarm) => alarm.id)).toEqual([id]);
    expect(await readMoneyAlarm(base.sql, id)).toMatchObject({ closed_at: null, note: null });
    expect(await countMoneyAlarms(base.sql)).toEqual([{ kind: 'forged_journal', count: 1 }]);
    await expect(payOut(`inserted ${of}`)).rejects.toThrow('This service did not write');
    const closing = { id, note: 'looked into' };
    expect(await closeMoneyAlarm({ ...base, actor: testOperator }, closing)).toBe('closed');
    expect(await countMoneyAlarms(base.sql)).toEqual([]);
    await payOut(`closed after ${of}`);
  },
);

test('reports an open charge that was redirected to another request', async () => {
  const player = playerOf(service);
  const [one, other] = [await player.create({ first_total: 100.94 }), await player.create()];
  await player.pay(one, { channel: 'credit_card' });
  expect((await faults()).filter((what) => what.startsWith('attempt'))).toEqual([]);
  const [attempt] = await service.sql<{ id: number }[]>`
    update attempts set request_id = ${other} where request_id = ${one} and state <> 'done'
    returning id`;
  expect(await faults()).toContain(`attempt ${attempt?.id} was not written by this service`);
  await service.sql`update attempts set stamp = null where id = ${attempt?.id ?? 0}`;
  expect(await faults()).toContain(`attempt ${attempt?.id} was not written by this service`);
});

test('loads the keys again for the next stamp after a failure', async () => {
  const sql = connect(service.databaseUrl, { max: 1, applicationName: 'stamps' });
  const { sealer } = service.service.parts;
  let loads = 0;
  stampWith(sql, async () => {
    loads += 1;
    if (loads === 1) throw new Error('the keys are away');
    return sealer.keys;
  });
  await expect(stampRow(sql, 'test', ['a'])).rejects.toThrow('the keys are away');
  expect(await stampRow(sql, 'test', ['a'])).toHaveLength(16);
  await stampRow(sql, 'test', ['b']);
  expect(loads).toBe(2);
  await sql.end();
});
