import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorBooks, setAccount } from '../../../src/accounts/index.ts';
import { auditAccount, auditIn } from '../../../src/audit/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { prepareFacts } from '../../../src/money/collections/index.ts';
import { sealAccount } from '../../../src/money/ledger/index.ts';
import { assignSuspense, listSuspense, suspend } from '../../../src/money/suspense/index.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { testOperator } from '../../harness/actors.ts';
import { connectSuperuser } from '../../harness/database.ts';
import { correct, sendPayout } from '../../harness/money.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;

/** Tampers as superuser, returns the audit's findings, and undoes the change. */
async function faultsAfter(
  tamper: (sql: Sql) => Promise<unknown>,
  account = testAccount,
): Promise<string[]> {
  const undone = new Error('undone');
  let faults: string[] = [];
  await superuser
    .begin(async (tx) => {
      await tamper(tx as unknown as Sql);
      const { keys } = service.service.parts.sealer;
      faults = (await auditIn(tx, account, { keys })).map(({ what }) => what);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return faults;
}

let paid: number;
let pending: number;

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Chaco', '2020-01-01', 10000 from accounts`;
  for (let no = 0; no < 3; no += 1) {
    const id = await player.create({ first_total: 1000 });
    await player.pay(id);
    await player.refund(id, { amount: 100 });
    await player.move({ days: 9 });
    await sealAccount(service.sql, testAccount, service.service.parts.sealer);
  }
  paid = await player.create();
  await player.pay(paid);
  pending = await player.create();
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});
beforeEach(async () => expect(await player.faults()).toEqual([]));

describe('the audit', () => {
  const sealed = (sql: Sql) => sql`
    select id from journals where id = any((select keys from seals where no = 2)::bigint[])
      and kind = 'collection' limit 1`;

  test('finds a changed amount in a sealed journal that still sums to zero', async () => {
    const faults = await faultsAfter(
      (sql) => sql`
        update journals set amounts[1] = amounts[1] + 1, amounts[2] = amounts[2] - 1
        where id = (${sealed(sql)})`,
    );
    expect(faults.some((what) => /^journal \d+ differs from its seal$/.test(what))).toBe(true);
    expect(faults.some((what) => /result \d+ has 0 journals/.test(what))).toBe(true);
    expect(faults.some((what) => what.startsWith('ledger account clearingNonBanking'))).toBe(true);
  });

  test('finds a changed time or day in a sealed journal with the same amounts', async () => {
    for (const change of ['at = $$2026-11-20T00:00:00.000001Z$$', 'on_date = on_date + 1']) {
      const faults = await faultsAfter(
        (sql) => sql`update journals set ${sql.unsafe(change)} where id = (${sealed(sql)})`,
      );
      expect(faults.some((what) => /^journal \d+ differs from its seal$/.test(what))).toBe(true);
    }
  });

  test('finds a journal that does not sum to zero', async () => {
    const faults = await faultsAfter(async (sql) => {
      const [check] = await sql<{ name: string }[]>`
        select conname as name from pg_constraint
        where conrelid = 'journals'::regclass and pg_get_constraintdef(oid) like '%sum_of%'`;
      await sql`alter table journals drop constraint ${sql(check?.name ?? '')}`;
      await sql`update journals set amounts[1] = 1 where id = (${sealed(sql)})`;
    });
    expect(faults.some((what) => /journal \d+ does not sum to zero/.test(what))).toBe(true);
  });

  test('finds a deleted journal, sealed or not', async () => {
    const faults = await faultsAfter(
      (sql) => sql`delete from journals where id = (${sealed(sql)})`,
    );
    expect(faults.some((what) => /is in a seal or delta, but does not exist/.test(what))).toBe(
      true,
    );
    expect(faults.some((what) => /^journal \d+ was sealed, but does not exist$/.test(what))).toBe(
      true,
    );
    const last = await faultsAfter((sql) => sql`delete from journals where request_id = ${paid}`);
    expect(last.some((what) => /is in a seal or delta, but does not exist/.test(what))).toBe(true);
    expect(last.some((what) => /result \d+ has 0 journals/.test(what))).toBe(true);
  });

  test('finds an inserted journal', async () => {
    const faults = await faultsAfter(
      (sql) => sql`
        insert into journals (account_id, id, kind, result_id, request_id, at, on_date, accounts,
          amounts)
        select account_id, 77000001, kind, 77000001, request_id, at, on_date, accounts, amounts
        from journals
        where id = (${sealed(sql)})`,
    );
    expect(faults).toContain('journal 77000001 is in 0 seals and deltas, not in one');
    expect(faults).toContain('journal 77000001 names a result that does not exist');
  });

  test('finds a changed balance, and names the ledger account and both figures', async () => {
    const faults = await faultsAfter(
      (sql) => sql`update balances set amount = amount - 5 where ledger_account = 2`,
    );
    expect(
      faults.some((what) =>
        /^ledger account holderAvailable: balance -\d+, journal -\d+ centavos$/.test(what),
      ),
    ).toBe(true);
  });

  test('finds a lost delta, a doubled delta, a lost seal and a changed seal', async () => {
    const lost = await faultsAfter((sql) => sql`delete from balance_deltas`);
    expect(lost.some((what) => /is in 0 seals/.test(what))).toBe(true);
    const doubled = await faultsAfter(
      (sql) => sql`
        insert into balance_deltas select account_id, id + 1, accounts, amounts, journal_ids
        from balance_deltas`,
    );
    expect(doubled.some((what) => /is in 2 seals/.test(what))).toBe(true);
    const gone = await faultsAfter((sql) => sql`delete from seals where no = 1`);
    expect(gone).toContain('seal 1 is incomplete');
    const changed = await faultsAfter(
      (sql) => sql`update seal_links set hash = sha256('x') where no = 3`,
    );
    expect(changed).toEqual(['seal 3 does not match its chain']);
  });

  test('finds a changed state, in both directions', async () => {
    const change = (id: number, state: string) =>
      faultsAfter(async (sql) => {
        await sql`update requests set state = ${state} where id = ${id}`;
        await sql`update request_states set state = ${state} where id = ${id}`;
      });
    const paidAway = await change(paid, 'pending');
    expect(paidAway).toEqual([
      `request ${paid} is pending, but has an unreversed payment`,
      `request ${paid} is pending, but its last event says paid`,
    ]);
    const madePaid = await change(pending, 'paid');
    expect(madePaid).toEqual([
      `request ${pending} is paid, but has no unreversed payment`,
      `request ${pending} is paid, but its last event says pending`,
    ]);
  });

  test('finds a deleted event', async () => {
    const faults = await faultsAfter(
      (sql) => sql`delete from events where entity_id = ${String(paid)} and version = 2`,
    );
    expect(faults).toEqual([
      expect.stringMatching(/^result \d+ has no event$/),
      `request ${paid} has version 2, but 1 events`,
    ]);
  });

  test('finds a changed result: amount, fee, amount to release, withholding', async () => {
    const changes: [string, RegExp][] = [
      ['update results set amount = amount + 1', /^result \d+ has 0 journals/],
      ['update results set net_fee = net_fee + 1', /fees and VAT .* differ .* by 1 centavos$/],
      [
        'update results set unreleased = unreleased + 1',
        /unreleased amounts differ .* by 1 centavos$/,
      ],
      ['update withholdings set amount = amount + 1', /withholdings differ .* by 1 centavos$/],
    ];
    for (const [change, expected] of changes) {
      const column = change.includes('withholdings') ? 'result_id' : 'id';
      const faults = await faultsAfter((sql) =>
        sql.unsafe(
          `${change} where ${column} = (select id from results where request_id = ${paid})`,
        ),
      );
      expect(faults.some((what) => expected.test(what))).toBe(true);
    }
  });

  test('finds a deleted result', async () => {
    const faults = await faultsAfter((sql) => sql`delete from results where request_id = ${paid}`);
    expect(faults.some((what) => /names a result that does not exist/.test(what))).toBe(true);
    expect(faults).toContain(`request ${paid} is paid, but has no unreversed payment`);
  });
});

describe('the audit of journals whose cause is not a result', () => {
  beforeAll(async () => {
    const { base } = service.service.parts;
    const actor = testOperator;
    const correction = { accountId: testAccount, reference: 'c', note: 'a test', actor };
    await correct(base)({ ...correction, amount: centavos(10_000) });
    await setAccount({ ...base, actor: testOperator })({
      accountId: testAccount,
      payoutCbu: '2850590940090418135201',
    });
    const payout = { accountId: testAccount, reference: 'p', actor };
    await sendPayout(base)({ ...payout, amount: centavos(1_000) });
    const money = {
      reason: 'unreadable_code',
      channel: 'non_banking',
      label: 'Rapipago',
      code: '?',
      amount: centavos(500),
      paidAt: base.clocks.business.now(),
      source: 'rapipago',
    } as const;
    await suspend(base)([
      { ...money, sourceRef: '1' },
      { ...money, sourceRef: '2' },
    ]);
    const prepare = prepareFacts(base, service.service.parts.calendar);
    const [first] = await listSuspense(service.sql, { all: false, after: 0, limit: 100 });
    const to = { accountId: testAccount, id: pending };
    await assignSuspense(base, prepare)({ id: first?.id ?? 0, to, note: 'a test', actor });
    expect(await auditAccount(service.sql, operatorBooks)).toEqual([]);
  });

  test.each([
    ['a payout of another amount', 'update payouts set amount = amount + 1', /^payout:\d+ has 0 /],
    [
      'a deleted payout',
      'delete from payouts',
      /has 1 journals of kind payout for 10.00 instead of 0/,
    ],
    [
      'a payout that came back without its journal',
      `update payouts set state = 'returned'`,
      /has 0 journals of kind payout_return for -10.00 instead of 1/,
    ],
    [
      'a correction with another sign',
      'update corrections set amount = -amount',
      /^correction:\d+ has 0 journals of kind correction for 100.00 instead of 1/,
    ],
  ])('finds %s', async (_what, statement, expected) => {
    const faults = await faultsAfter((sql) => sql.unsafe(statement));
    expect(faults.some((what) => expected.test(what))).toBe(true);
  });

  test.each([
    ['a reopened suspense entry', `update suspense set state = 'open'`, /for 5.00 instead/],
    [
      'a suspense entry marked as returned without a journal',
      `update suspense set state = 'returned' where state = 'open'`,
      /has 0 journals of kind suspense_returned for 5.00 instead of 1/,
    ],
    [
      'money assigned to a request that did not receive it',
      `update suspense set to_request_id = 999999999 where state = 'assigned'`,
      /was assigned, but no payment was recorded/,
    ],
  ])('finds %s', async (_what, statement, expected) => {
    const faults = await faultsAfter((sql) => sql.unsafe(statement), operatorBooks);
    expect(faults.some((what) => expected.test(what))).toBe(true);
  });

  test('finds a changed cause in a sealed journal', async () => {
    await sealAccount(service.sql, testAccount, service.service.parts.sealer);
    const faults = await faultsAfter(
      (sql) => sql`
        update journals set cause = 'payout:999999999' where cause is not null and kind = 'payout'`,
    );
    expect(faults.some((what) => /^journal \d+ differs from its seal$/.test(what))).toBe(true);
  });
});

describe('the owning role cannot change history', () => {
  const statements = ['journals', 'seals', 'corrections', 'withholdings'].flatMap((table) => [
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
  ]);

  test.each(statements)('refuses %s', async (statement) => {
    await expect(service.sql.unsafe(statement)).rejects.toThrow(/permission denied/);
  });

  test('refuses a journal that does not sum to zero, or whose lists differ in length', async () => {
    for (const amounts of ['{5,-4}', '{5}']) {
      await expect(
        service.sql`
          insert into journals (account_id, id, kind, at, on_date, accounts, amounts)
          values (${testAccount}, 8, 'release', '2026-01-01T00:00:00Z', '2026-01-01',
            '{1,2}', ${amounts}::text::bigint[])`,
      ).rejects.toThrow(/violates check constraint/);
    }
  });
});
