import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { noticePartsOf } from '../../src/composition/notices.ts';
import { type Reconciled, reconcile } from '../../src/connectors/http.ts';
import { centavos } from '../../src/kernel/money.ts';
import {
  keepComparison,
  keepSettlements,
  listSettlements,
  settlementEvidence,
} from '../../src/money/settlements/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Network, networkOf } from './network.ts';
import { approvedAs, manifestOf, type Played, playConnector } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

const operator = '00000000';
const due = 143_050;
const withinDays = 3;
const channels = ['credit_card', 'DEBIN', 'qr'];
let bank: Played;
let service: TestService;
let player: Player;
let network: Network;
let lines: Record<string, unknown>[] = [];
let day = 0;

beforeAll(async () => {
  bank = await playConnector('bank', channels);
  service = await startService({
    ROLES: 'payments,web,qr',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  network = networkOf(service, bank, 'bank');
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});
beforeEach(async () => {
  lines = [];
  bank.plays.settlements = () => ({ json: { settlements: lines } });
  bank.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, due);
  bank.plays.manifest = () => ({
    json: { ...manifestOf('bank', channels), settlements: { within_days: withinDays } },
  });
  // Lists charges as recorded, so that only payouts differ.
  bank.plays.charges = () => async (response) => {
    const text = JSON.stringify({ charges: await listed() });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };
  await service.service.parts.connectors.refresh();
  await player.move({ days: withinDays + 40 });
  day += 1;
});

const today = () => service.service.parts.clocks.business.today();

async function listed(): Promise<object[]> {
  return await service.sql`
    select t.account_id || '-' || t.id as attempt, 'approved' as outcome, r.amount,
      r.refunded + r.charged_back as refunded
    from attempts t join results r on r.account_id = t.account_id and r.source = 'attempt'
      and r.source_ref = t.id::text and r.type = 'collected'`;
}

async function compared(): Promise<Reconciled> {
  const { parts } = service.service;
  const [connector] = parts.connectors.all;
  if (!connector) throw new Error('no connector');
  const acting = { ...parts.base, actor: testOperator };
  return await reconcile(noticePartsOf(parts), acting, connector, today());
}

async function charged(loses = false): Promise<{ id: number; attempt: string }> {
  bank.plays.charge = ({ body }) =>
    loses
      ? { status: 500, json: { message: 'lost' } }
      : approvedAs(`ref-${body.attempt}`, body.amount);
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  const call = bank.calls.findLast(({ body }) => body?.request?.id === String(id));
  return { id, attempt: String(call?.attempt) };
}

/** Returns a line of the day's payout, by default a sale that is the payout's only line. */
const line = (more: Record<string, unknown> = {}) => {
  const gross = Number(more.gross ?? due);
  const fee = Number(more.fee ?? 5_000);
  return {
    id: `L${day}`,
    payout: { id: `P${day}`, paid_on: today().toString(), net: gross - fee },
    kind: 'sale',
    gross,
    fee,
    net: gross - fee,
    ...more,
  };
};
const whats = ({ findings }: Reconciled): string[] => findings.map(({ what }) => what);
const alarms = () => service.sql<{ fact: string; amount: number; account_id: string | null }[]>`
  select fact, amount, account_id, attempt_id, request_id from money_alarms
  where kind = 'settlement' order by id`;
const payout = async () => (await listSettlements(service.sql, page))[0];
const page = { connector: null, before: null, limit: 10 };

describe('a payout', () => {
  test('matches a payout with recorded payments, and stores and seals it once with its lines', async () => {
    const { attempt } = await charged();
    lines = [line({ attempt })];
    const before = (await alarms()).length;
    expect(whats(await compared())).toEqual([]);
    const events = async () =>
      (await service.sql`select 1 from operator_events where type = 'settlement.listed'`).length;
    const told = await events();
    const again = await Promise.all([compared(), compared()]);
    expect(again.map(whats)).toEqual([[], []]);
    expect([await events(), (await alarms()).length]).toEqual([told, before]);
    expect(await payout()).toMatchObject({
      name: `P${day}`,
      net: due - 5_000,
      lines: 1,
      gross: due,
      fee: 5_000,
      listed: due - 5_000,
      matched: due,
      elsewhere: 0,
      faults: 0,
    });
    expect(await auditAccount(service.sql, operator)).toEqual([]);
    await service.sql`update settlement_payouts set fee = fee + 1 where name = ${`P${day}`}`;
    expect((await auditAccount(service.sql, operator)).map(({ what }) => what)).toEqual([
      expect.stringMatching(/^settlement \d+ is not the sum of its lines$/),
    ]);
    await service.sql`update settlement_payouts set fee = fee - 1 where name = ${`P${day}`}`;
  });

  test('joins all pages of a payout, including rentals and other deployments’ lines', async () => {
    const { attempt } = await charged();
    const net = due - 5_000 + 900 - 300;
    const all = { id: `P${day}`, paid_on: today().toString(), net };
    const pages: Record<string, object[]> = {
      first: [line({ attempt, payout: all })],
      other: [
        line({ id: `L${day}b`, attempt: 'SHOP-1', gross: 1_000, fee: 100, payout: all }),
        line({ id: `L${day}c`, kind: 'rent of the future', gross: 0, fee: 300, payout: all }),
      ],
    };
    bank.plays.settlements = ({ path }) => {
      const after = new URL(path, 'http://x').searchParams.get('after');
      return after === null
        ? { json: { settlements: pages.first, next: 'other' } }
        : { json: { settlements: pages[after] } };
    };
    expect(whats(await compared())).toEqual([]);
    expect(await payout()).toMatchObject({
      lines: 3,
      gross: due + 1_000,
      fee: 5_400,
      listed: net,
      net,
      matched: due,
      elsewhere: 1_000,
      faults: 0,
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['another amount', { gross: due - 1 }, 'settles 1430.49 pesos, but 1430.50 is recorded'],
    ['a net that is not gross less fee', { net: 1 }, 'pays 0.01 pesos, but gross less fee is'],
    ['a sale below zero', { gross: -due }, 'which is not an amount of its kind'],
    ['money without a charge', { kind: 'other' }, 'belongs to no charge'],
    [
      'a refund that nobody made',
      { kind: 'refund', gross: -100, fee: 0 },
      'brings the refunded total to 1.00',
    ],
    [
      'money returned that was not taken',
      { kind: 'returned' },
      'brings the returned total to 1430.50 pesos',
    ],
  ])('raises one alarm with ids and amount for %s', async (_what, more, text) => {
    const { id, attempt } = await charged();
    lines = [line({ attempt, ...more })];
    lines = [{ ...lines[0], payout: { ...line().payout, net: lines[0]?.net } }];
    const before = (await alarms()).length;
    for (const report of [await compared(), await compared()]) {
      expect(whats(report)).toEqual([expect.stringContaining(text)]);
    }
    const raised = (await alarms()).slice(before);
    expect(raised).toMatchObject([
      {
        fact: expect.stringMatching(new RegExp(`^bank line L${day} \\w+$`)),
        account_id: testAccount,
        request_id: id,
        attempt_id: Number(attempt.slice(9)),
        amount: Number(lines[0]?.gross),
      },
    ]);
  });

  test('raises an alarm if a payout differs from the sum of its lines', async () => {
    const { attempt } = await charged();
    const all = { id: `P${day}`, paid_on: today().toString(), net: due };
    lines = [line({ attempt, payout: all })];
    expect(whats(await compared())).toEqual([
      `payout P${day} is 1430.50 pesos, but its lines sum to 1380.50`,
    ]);
    expect((await alarms()).at(-1)).toMatchObject({ fact: `bank payout P${day}`, amount: due });
  });

  test('keeps the first record of a changed line or sum, and reports the change', async () => {
    const { attempt } = await charged();
    lines = [line({ attempt })];
    await compared();
    lines = [line({ attempt, fee: 6_000 })];
    expect(whats(await compared())).toEqual([
      `settlement line L${day} changed since it was listed before`,
      `payout P${day} has another day or amount than before`,
    ]);
    expect(await payout()).toMatchObject({ fee: 5_000, listed: due - 5_000, net: due - 5_000 });
  });

  test('inquires about a settled charge whose answer was lost, and records its payment', async () => {
    const { id, attempt } = await charged(true);
    bank.plays.charges = () => ({ json: { charges: [] } });
    lines = [line({ attempt })];
    const report = await compared();
    expect(report.recorded).toMatchObject([
      { accountId: testAccount, what: expect.stringContaining('was not recorded') },
    ]);
    expect((await player.get(id)).state).toBe('paid');
  });

  test('reports a settled charge that is unconfirmed or unknown', async () => {
    const { attempt } = await charged(true);
    bank.plays.charges = () => ({ json: { charges: [] } });
    bank.plays.inquiry = () => ({ status: 404, json: { message: 'nobody knows it' } });
    // After this delay, an unknown charge can no longer arrive.
    await player.move({ minutes: 5 });
    const net = 2 * (due - 5_000);
    const all = { id: `P${day}`, paid_on: today().toString(), net };
    const unknown = `${testAccount}-999999999`;
    lines = [
      line({ attempt, payout: all }),
      line({ id: `L${day}b`, attempt: unknown, payout: all }),
    ];
    expect(whats(await compared())).toEqual([
      expect.stringContaining(`of ${attempt}: it is of 1430.50 pesos, but no payment is recorded`),
      expect.stringContaining(`of ${unknown}: it is of 1430.50 pesos, but no payment is recorded`),
    ]);
    expect(await payout()).toMatchObject({ matched: 0, elsewhere: 0, faults: 2 });
  });

  test('reports the part of a payout that brings the settled total above the payment', async () => {
    const { attempt } = await charged();
    lines = [line({ attempt, is_part: true, gross: 100_000 })];
    expect(whats(await compared())).toEqual([]);
    lines.push({
      ...line({ attempt, is_part: true, gross: 43_051 }),
      id: `L${day}b`,
      payout: { id: `P${day}b`, paid_on: today().toString(), net: 38_051 },
    });
    // Only the part that exceeds the payment is a finding.
    expect(whats(await compared())).toEqual([
      expect.stringMatching(
        /b of .* brings the settled total to 1430\.51 pesos, but 1430\.50 is recorded$/,
      ),
    ]);
  });

  test('reads the same content to seal in different database collations', async () => {
    const none = { kind: 'other', gross: 0, fee: 0, payout: { ...line().payout, net: 0 } };
    lines = ['a', 'B'].map((end) => line({ ...none, id: `L${day}${end}` }));
    expect(whats(await compared())).toEqual([]);
    const id = (await payout())?.id;
    const content = async () => {
      const { from } = settlementEvidence;
      const rows = await service.sql`
        select content from ${service.sql.unsafe(from)} as one where id = ${Number(id)}`;
      return rows[0]?.content;
    };
    const sorted = (collation: string) =>
      service.sql.unsafe(
        `alter table settlement_lines alter name type text collate "${collation}"`,
      );
    const before = await content();
    await sorted('und-x-icu');
    expect(await content()).toBe(before);
    await sorted('default');
  });

  test('matches a deducted refund once it is recorded', async () => {
    const { id, attempt } = await charged();
    await service.call('POST', `/payment-request/${id}/refund`, {
      body: { refund: { amount: 10 } },
    });
    const net = due - 5_000 - 1_000;
    const all = { id: `P${day}`, paid_on: today().toString(), net };
    lines = [
      line({ attempt, payout: all }),
      line({ id: `L${day}b`, attempt, kind: 'refund', gross: -1_000, fee: 0, payout: all }),
    ];
    expect(whats(await compared())).toEqual([]);
    expect(await payout()).toMatchObject({ gross: due - 1_000, matched: due - 1_000 });
  });
});

describe('the lines of two disputes of one payment', () => {
  test.each<[string, number]>([
    ['the whole', 100_000],
    ['a part', 60_000],
  ])('match if the second takes %s of what the first returned', async (_what, again) => {
    const { id, attempt } = await charged();
    const before = await compared();
    const takes = async (name: string, revision: number, taken: number, amount = due) => {
      const notice = { id: `${name}-${id}`, attempt, revision, state: 'opened', taken, amount };
      expect((await network.tell({ type: 'dispute.changed', ...notice })).status).toBe(200);
    };
    await takes('first', 1, due);
    await takes('first', 2, due - 100_000);
    await takes('second', 1, again, again);
    const all = { id: `P${day}`, paid_on: today().toString(), net: 100_000 - again };
    const listedAs = (no: number, kind: string, gross: number) =>
      line({ id: `L${day}-${no}`, attempt, kind, gross, fee: 0, payout: all });
    lines = [
      listedAs(1, 'sale', due),
      listedAs(2, 'chargeback', -due),
      listedAs(3, 'returned', 100_000),
      listedAs(4, 'chargeback', -again),
    ];
    const raised = (await alarms()).length;
    const report = await compared();
    expect(whats(report)).toEqual([]);
    expect(report.unsettled?.amount).toBe((before.unsettled?.amount ?? 0) - due);
    await player.move({ days: withinDays });
    expect(whats(await compared())).toEqual([]);
    expect((await alarms()).length).toBe(raised);
    const faults = (await auditAccount(service.sql, testAccount)).map(({ what }) => what);
    expect(faults.filter((what) => what.includes(attempt))).toEqual([]);
  });
});

describe('a payout that cannot be compared yet', () => {
  test('leaves a payout uncompared, without an alarm, until the outcome of its charge is known', async () => {
    const { attempt } = await charged(true);
    const { charges } = bank.plays;
    bank.plays.charges = () => ({ json: { charges: [] } });
    bank.plays.inquiry = () => ({ status: 500, json: { message: 'later' } });
    lines = [line({ attempt })];
    const before = (await alarms()).length;
    expect(whats(await compared())).toEqual([
      expect.stringContaining('the outcome of the charge is unknown'),
    ]);
    expect((await alarms()).length).toBe(before);
    expect(await payout()).toMatchObject({ name: `P${day}`, compared_at: null });
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, due);
    bank.plays.charges = charges;
    lines = [];
    expect(whats(await compared())).toEqual([]);
    expect(await payout()).toMatchObject({
      name: `P${day}`,
      compared_at: expect.anything(),
      faults: 0,
    });
  });

  test('raises another alarm if a line later differs in something else', async () => {
    const { attempt } = await charged(true);
    lines = [line({ attempt, kind: 'refund', gross: -1_000, fee: 0 })];
    await compared();
    const known = { attempt, outcome: 'approved', reference: 'x', amount: due, refunded: 0 };
    bank.plays.charges = () => ({ json: { charges: [known] } });
    await compared();
    const own = (await alarms()).filter(({ fact }) => fact.startsWith(`bank line L${day} `));
    expect(own.map(({ fact }) => fact.split(' ').at(-1))).toEqual(['unrecorded', 'back']);
  });

  test('leaves a payout uncompared if lines arrive during the comparison', async () => {
    const { attempt } = await charged();
    lines = [line({ attempt })];
    await compared();
    const before = await payout();
    if (!before) throw new Error('no payout');
    const acting = { ...service.service.parts.base, actor: testOperator };
    const late = {
      ...({ name: `L${day}b`, kind: 'other', attempt: null, trx: null } as const),
      ...{ account_id: null, attempt_id: null, is_part: false },
      ...{ gross: centavos(0), fee: centavos(1), net: centavos(-1) },
      payout: { name: before.name, paidOn: before.paid_on, net: before.net },
    };
    expect(await keepSettlements(acting, 'bank', [late])).toEqual([before.name]);
    await keepComparison(acting, before.id, before);
    expect(await payout()).toMatchObject({ id: before.id, compared_at: null });
  });
});

describe('a wallet’s payment', () => {
  const paidByWallet = async (trx: string): Promise<number> => {
    const id = await player.create();
    const { status } = await network.confirm(trx, await network.codeOfRequest(id), due);
    expect(status).toBe(200);
    return id;
  };

  test('matches a wallet’s payment that becomes known after its settlement', async () => {
    const trx = network.trx();
    lines = [line({ trx })];
    expect(whats(await compared())).toEqual([expect.stringContaining('no payment is recorded')]);
    await paidByWallet(trx);
    lines = [];
    expect(whats(await compared())).toEqual([]);
    expect(await payout()).toMatchObject({ name: `P${day}`, matched: due, faults: 0 });
  });

  test('reports lines that move to another payout, and leaves the former payouts as they were', async () => {
    const trxs = [network.trx(), network.trx()];
    const of = (no: number, name: string) => ({
      ...line({ trx: trxs[no] }),
      id: `L${day}-${no}`,
      payout: { id: name, paid_on: today().toString(), net: due - 5_000 },
    });
    lines = [of(0, `P${day}a`), of(1, `P${day}b`)];
    await compared();
    for (const trx of trxs) await paidByWallet(trx);
    lines = [of(0, `P${day}c`), of(1, `P${day}c`)];
    expect(whats(await compared())).toEqual([
      `settlement line L${day}-0 changed since it was listed before`,
      `settlement line L${day}-1 changed since it was listed before`,
      `payout P${day}c is 1380.50 pesos, but its lines sum to 0.00`,
    ]);
    const [third, ...others] = await listSettlements(service.sql, page);
    const first = others.slice(0, 2).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(first).toMatchObject([
      { name: `P${day}a`, matched: due, faults: 0 },
      { name: `P${day}b`, matched: due, faults: 0 },
    ]);
    expect(third).toMatchObject({ name: `P${day}c`, lines: 0 });
    const told = await service.sql<{ type: string }[]>`
      select type from operator_events
      where entity = 'settlement' and entity_id = ${String(third?.id)}`;
    expect(told).toEqual([{ type: 'settlement.listed' }]);
  });

  test('reports a second settlement of a wallet’s payment that is in suspense', async () => {
    const code = (await network.codeOfRequest(await player.create())).replace(/....$/, '0000');
    const trx = network.trx();
    expect((await network.confirm(trx, code, due)).status).toBe(200);
    lines = [line({ trx })];
    expect(whats(await compared())).toEqual([]);
    const other = { id: `P${day}b`, paid_on: today().toString(), net: due - 5_000 };
    lines = [{ ...line({ trx }), id: `L${day}b`, payout: other }];
    expect(whats(await compared())).toContainEqual(
      expect.stringContaining('brings the settled total to 2861.00 pesos, but 1430.50 is recorded'),
    );
  });

  test('reports a wallet’s payment with a forged row, and continues with other comparisons', async () => {
    const trx = network.trx();
    await paidByWallet(trx);
    const forged = `${trx}-forged`;
    await service.sql`
      insert into network_charges (connector, trx, account_id, attempt_id, stamp)
      select connector, ${forged}, account_id, attempt_id, stamp from network_charges
      where trx = ${trx}`;
    const { attempt } = await charged();
    const all = { id: `P${day}`, paid_on: today().toString(), net: 2 * (due - 5_000) };
    lines = [
      line({ id: `L${day}a`, trx: forged, payout: all }),
      line({ id: `L${day}b`, attempt, payout: all }),
    ];
    const paidAt = `${today().subtract({ days: 1 })}T12:00:00.000Z`;
    const payment = { trx: forged, code: 'x', paid_at: paidAt };
    bank.plays.charges = () => async (response) => {
      const first = { payment, outcome: 'approved', amount: due, refunded: 0 };
      const text = JSON.stringify({ charges: [first, ...(await listed())] });
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    const found = whats(await compared());
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^charge .*-forged: This service did not write .*\.$/),
        expect.stringMatching(/^settlement line L\d+a: This service did not write .*\.$/),
      ]),
    );
    expect(await payout()).toMatchObject({ name: `P${day}`, matched: due, faults: 1 });
  });
});

describe('a refund', () => {
  test('reports a deducted refund that the operator transferred, and counts it as owed', async () => {
    const played = { channel: 'DEBIN', refunds: [] };
    const manifest = manifestOf('bank', ['credit_card', played, 'qr']);
    bank.plays.manifest = () => ({
      json: { ...manifest, settlements: { within_days: withinDays } },
    });
    await service.service.parts.connectors.refresh();
    // Covers the fee that the refund retains.
    await charged();
    const { id, attempt } = await charged();
    const asked = await service.call('POST', `/payment-request/${id}/refund`, {
      body: { refund: { amount: 10, cbu: '0170099220000067797370' } },
    });
    expect(asked.status).toBe(201);
    const net = due - 5_000 - 1_000;
    const all = { id: `P${day}`, paid_on: today().toString(), net };
    lines = [
      line({ attempt, payout: all }),
      line({ id: `L${day}b`, attempt, kind: 'refund', gross: -1_000, fee: 0, payout: all }),
    ];
    const twice = expect.stringContaining(
      'the refunded total to 10.00 pesos, but 0.00 is recorded',
    );
    expect(whats(await compared())).toContainEqual(twice);
    await service.service.parts.refunds.end({
      accountId: testAccount,
      id: asked.body.id,
      state: 'done',
      comment: 'Transferred.',
      actor: testOperator,
    });
    expect(whats(await compared())).toContainEqual(twice);
    const [other] = await service.sql<{ unsettled: number }[]>`
      select unsettled from reconciliations where day = ${today()}::date`;
    // The charge's clearing account is unchanged, so the acquirer owes the deducted amount.
    expect(other?.unsettled).toBe(due + 1_000);
  });

  test('accepts a deduction while the refund is in progress', async () => {
    const { id, attempt } = await charged();
    await player.move({ days: withinDays });
    bank.plays.refund = () => ({ status: 500, json: { message: 'later' } });
    const asked = await service.call('POST', `/payment-request/${id}/refund`, {
      body: { refund: { amount: 10 } },
    });
    expect(asked.body.state).toBe('requested');
    const net = due - 5_000 - 1_000;
    const all = { id: `P${day}`, paid_on: today().toString(), net };
    lines = [
      line({ attempt, payout: all }),
      line({ id: `L${day}b`, attempt, kind: 'refund', gross: -1_000, fee: 0, payout: all }),
    ];
    const found = await compared();
    expect(whats(found).filter((what) => what.includes(attempt))).toEqual([]);
    bank.plays.refund = ({ body }) => ({
      json: { outcome: 'done', reference: `back-${body?.refund}` },
    });
    await player.move({ minutes: 30 });
  });
});

describe('a charge without a payout', () => {
  test('counts a charge as owed until it is paid out, and raises an alarm when overdue', async () => {
    const { attempt, id } = await charged();
    const report = await compared();
    expect(report.unsettled?.amount).toBeGreaterThanOrEqual(due);
    expect(whats(report)).toEqual([]);
    await player.move({ days: withinDays });
    const late = await compared();
    expect(whats(late)).toContainEqual(
      `charge ${attempt} of request ${id}: 1430.50 pesos were not paid out within ${withinDays} days`,
    );
    expect(
      (await alarms()).filter(({ fact }) => fact === `bank unsettled ${attempt}`),
    ).toMatchObject([{ amount: due, account_id: testAccount }]);
    lines = [line({ attempt })];
    const paid = await compared();
    expect(whats(paid).filter((what) => what.includes(attempt))).toEqual([]);
    expect(paid.unsettled?.amount).toBe((late.unsettled?.amount ?? 0) - due);
  });

  test('owes nothing after a full refund', async () => {
    // Covers the fee that the refund retains.
    await charged();
    const { attempt, id } = await charged();
    const refund = { refund: { amount: due / 100 } };
    const { status } = await service.call('POST', `/payment-request/${id}/refund`, {
      body: refund,
    });
    expect(status).toBe(201);
    await player.move({ days: withinDays });
    expect(whats(await compared()).filter((what) => what.includes(attempt))).toEqual([]);
  });
});

describe('a list of payouts', () => {
  test.each<[string, () => object]>([
    ['is answered with a fault', () => ({ status: 500, json: { message: 'no' } })],
    ['does not follow the protocol', () => ({ json: { settlements: [{ id: 1 }] } })],
  ])('leaves the day uncompared if the list of payouts %s', async (_how, play) => {
    bank.plays.settlements = play;
    await expect(compared()).rejects.toThrow(/^The list of settlements/);
    const kept = await service.sql`select 1 from reconciliations where day = ${today()}::date`;
    expect(kept).toEqual([]);
  });

  test('reports lines with an invalid day as findings, and keeps the others', async () => {
    const { attempt } = await charged();
    const none = { id: 'x', paid_on: '2026-02-31', net: 1 };
    lines = [line({ attempt }), { ...line(), id: `L${day}b`, payout: none }];
    expect(whats(await compared())).toEqual([
      `settlement line L${day}b belongs to payout x, whose day does not exist: 2026-02-31`,
    ]);
    expect(await payout()).toMatchObject({ name: `P${day}`, matched: due });
    expect((await alarms()).at(-1)?.fact).toBe(`bank line L${day}b day`);
  });

  test('raises at most a hundred alarms for many faults, and one with their count', async () => {
    const all = { id: `P${day}`, paid_on: today().toString(), net: 103 };
    const other = { kind: 'other', gross: 1, fee: 0, payout: all };
    lines = Array.from({ length: 103 }, (_, no) => line({ ...other, id: `L${day}-${no}` }));
    const before = (await alarms()).length;
    expect(whats(await compared())).toHaveLength(103);
    const raised = (await alarms()).slice(before);
    expect(raised).toHaveLength(101);
    expect(raised.at(-1)).toMatchObject({ fact: `bank ${today()} no_charge`, amount: 103 });
  });

  test('requests no list of payouts if the manifest offers none', async () => {
    bank.plays.manifest = () => ({ json: manifestOf('bank', channels) });
    bank.calls.length = 0;
    expect((await compared()).unsettled).toBeNull();
    expect(bank.calls.filter(({ path }) => path.startsWith('/settlements'))).toEqual([]);
  });
});

test('lists payouts, their differing lines and owed charges by command', async () => {
  const { attempt } = await charged();
  lines = [line({ attempt, gross: due - 50 })];
  await compared();
  const env = { DATABASE_URL: service.databaseUrl };
  const rows = async (...words: string[]) =>
    JSON.parse((await recaudo(['settlements', ...words, '--json'], env)).stdout);
  const [first] = await rows('list', '--connector', 'bank');
  expect(first).toMatchObject({
    payout: `P${day}`,
    paid: '1380.00',
    gross: '1430.00',
    recorded: '0.00',
    difference: '1430.00',
    faults: 1,
  });
  expect(await rows('lines', String(first.id))).toMatchObject([
    {
      line: `L${day}`,
      charge: attempt,
      recorded: '1430.50',
      difference: 'settles 1430.00 pesos, but 1430.50 is recorded',
    },
  ]);
  expect(await rows('owed')).toMatchObject([{ connector: 'bank' }]);
  expect(await rows('list', '--before', String(first.id))).not.toContainEqual(first);
});

test('shows payouts, their differing lines and owed charges in the portal', async () => {
  const { attempt } = await charged();
  lines = [line({ attempt, gross: due - 50 })];
  await compared();
  const operating = await signIn(service, 'operator_read_only');
  const home = '/portal/operator/settlements';
  const list = await operating.get(home);
  const shown = await payout();
  expect(list.text).toContain(`href="${home}/${shown?.id}"`);
  expect(list.text).toContain('Pendiente de acreditar');
  const one = await operating.get(`${home}/${shown?.id}`);
  expect(one.text).toContain(attempt);
  expect(one.text.replaceAll('\u00a0', ' ')).toContain('Hay $ 1.430,50 registrados');
  expect((await operating.get(`${home}/999999999`)).status).toBe(404);
});
