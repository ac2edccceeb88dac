import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { noticePartsOf } from '../../src/composition/notices.ts';
import { reconcile } from '../../src/connectors/http.ts';
import { centavos } from '../../src/kernel/money.ts';
import { disputesOf } from '../../src/money/disputes/index.ts';
import { readDisputes } from '../../src/portal/disputes/model.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, type Played, playConnector } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

let cards: Played;
let service: TestService;
let player: Player;
let CONNECTORS: string;
beforeAll(async () => {
  cards = await playConnector('cards', ['DEBIN']);
  CONNECTORS = JSON.stringify([cards.configured()]);
  service = await startService({ ...withoutWorker, CONNECTORS });
  player = playerOf(service);
});
afterAll(async () => {
  await service?.stop();
  await cards?.stop();
});

let before: [number, number];
beforeEach(async () => {
  before = await player.balances();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const path = '/connectors/cards/notices';

async function send(notice: object): Promise<number> {
  const body = bodyFor('POST', path, { type: 'dispute.changed', ...notice });
  const headers = { ...cards.signed(signedText({ method: 'POST', path, body })) };
  return (await service.call('POST', path, { body, key: null, headers })).status;
}

async function paid(pesos = 1430.5) {
  const id = await player.create({ first_total: pesos });
  await player.pay(id, { channel: 'DEBIN' });
  const call = cards.calls.find(({ body }) => body?.request?.id === String(id));
  return { id, attempt: String(call?.attempt) };
}

let disputes = 0;
const disputeOf = (attempt: string) => {
  disputes += 1;
  const id = `D-${disputes}`;
  return (revision: number, state: string, taken: number, more: object = {}) => ({
    id,
    attempt,
    revision,
    state,
    taken,
    amount: 143_050,
    ...more,
  });
};

/** Returns the state and the signed amounts of a request, in pesos. */
async function booked(id: number): Promise<[string, number[]]> {
  const { state, request_result: results } = await player.get(id);
  const signs: Record<string, number> = { chargeback: -1, refund: -1 };
  return [
    state,
    results.map(
      ({ type, amount }: { type: string; amount: number }) =>
        amount * (signs[type.split('_')[0] ?? ''] ?? 1),
    ),
  ];
}

/** Returns the change of both balances since the test started, in centavos. */
async function gained(): Promise<number> {
  const [available, unavailable] = await player.balances();
  return Math.round((available + unavailable - before[0] - before[1]) * 100);
}

const rowOf = async (id: number) =>
  (await disputesOf(service.sql, { accountId: testAccount, id }))[0];

describe('a dispute', () => {
  test('returns exactly what a won dispute took, without a second fee', async () => {
    const { id, attempt } = await paid();
    const once = await gained();
    const told = disputeOf(attempt);
    const due = '2026-12-20T00:00:00Z';
    const opened = told(1, 'evidence_due', 143_050, { evidence_due_at: due, reason: 'Unknown.' });
    expect(await Promise.all([send(opened), send(opened)])).toEqual([200, 200]);
    expect(await booked(id)).toEqual(['reverted', [1430.5, -1430.5]]);
    expect(await rowOf(id)).toMatchObject({
      state: 'evidence_due',
      taken: 143_050,
      reason: 'Unknown.',
      evidence_due_at: Temporal.Instant.from(due),
    });
    const won = told(2, 'won', 0);
    expect(await Promise.all([send(won), send(won), send(won)])).toEqual([200, 200, 200]);
    expect(await booked(id)).toEqual(['paid', [1430.5, -1430.5, 1430.5]]);
    expect((await player.get(id)).request_result[2]).toMatchObject({ gross_fee: 0 });
    expect(await gained()).toBe(once);
    const events = await player.events(id);
    expect(events.filter(({ queued }) => queued).map(({ type }) => type.split('.')[1])).toEqual([
      'paid',
      'disputed',
      'reverted',
      'disputed',
      'paid',
    ]);
    expect(events.at(-2)?.data).toMatchObject({ dispute_state: 'won', taken: 0, amount: 1430.5 });
  });

  test('withholds fees and taxes again when a dispute returns money', async () => {
    await service.sql`
      insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm, known_since)
      select cuit, 'SIRTAC', 'Salta', '2020-01-01', 33333,
        ${service.service.parts.clocks.business.now()}::timestamptz
      from accounts where id = ${testAccount}`;
    await service.sql`update accounts set settings = '{"returns_fees": true}' where id = ${testAccount}`;
    const { id, attempt } = await paid();
    const once = await gained();
    const told = disputeOf(attempt);
    await send(told(1, 'opened', 100_050));
    await send(told(2, 'partial', 50_000));
    await send(told(3, 'reversed', 0));
    await service.sql`update accounts set settings = '{}' where id = ${testAccount}`;
    expect(await gained()).toBe(once);
    const { retentions } = await player.get(id, '?detail_retentions=true');
    const kept = retentions.map(({ amount }: { amount: number }) => amount);
    expect(kept.length).toBe(4);
    expect(kept.reduce((sum: number, one: number) => sum + one, 0)).toBeCloseTo(kept[0]);
  });

  // The rate above, on the share alone, rounds to another amount than the share of the sum.
  test.each([
    ['withholding', 100, 6_020],
    ['VAT', 1430.5, 312],
  ])('audits the share of the %s that a won dispute brings back', async (_what, pesos, taken) => {
    await service.sql`update accounts set settings = '{"returns_fees": true}' where id = ${testAccount}`;
    const { attempt } = await paid(pesos);
    const once = await gained();
    const told = disputeOf(attempt);
    await send(told(1, 'opened', taken));
    expect(await gained()).not.toBe(once);
    await send(told(2, 'won', 0));
    await service.sql`update accounts set settings = '{}' where id = ${testAccount}`;
    expect(await gained()).toBe(once);
  });

  test('audits a dispute of a partly refunded payment, won after it took the whole', async () => {
    const { id, attempt } = await paid(100);
    await player.refund(id, { amount: 30 });
    const told = disputeOf(attempt);
    await send(told(1, 'opened', 10_000));
    await send(told(2, 'won', 0));
    expect((await booked(id))[1]).toEqual([100, -30, -100, 100]);
  });

  test('keeps the state of the highest revision, in any order of arrival', async () => {
    const { id, attempt } = await paid();
    const told = disputeOf(attempt);
    expect(await send(told(3, 'won', 0))).toBe(200);
    expect(await send(told(1, 'opened', 143_050))).toBe(200);
    expect(await send(told(2, 'evidence_due', 143_050))).toBe(200);
    expect(await booked(id)).toEqual(['paid', [1430.5]]);
    expect(await rowOf(id)).toMatchObject({ state: 'won', revision: 3 });
  });

  test('ends concurrent revisions in the highest one’s state', async () => {
    const { id, attempt } = await paid();
    const told = disputeOf(attempt);
    const all = [told(1, 'opened', 143_050), told(2, 'won', 0), told(3, 'opened', 100_000)];
    expect(await Promise.all(all.map(send))).toEqual([200, 200, 200]);
    const [, amounts] = await booked(id);
    expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(430.5);
    expect(await watchAlarms(() => service.sql).money()).toEqual([]);
  });

  test('keeps the lost part of a dispute, and takes the rest for a second dispute', async () => {
    const { id, attempt } = await paid();
    const told = disputeOf(attempt);
    await send(told(1, 'opened', 143_050));
    await send(told(2, 'partial', 43_050));
    expect(await booked(id)).toEqual(['paid', [1430.5, -1430.5, 1000]]);
    const again = disputeOf(attempt);
    await send(again(1, 'opened', 100_000, { amount: 100_000 }));
    expect(await booked(id)).toEqual(['reverted', [1430.5, -1430.5, 1000, -1000]]);
    await send(again(2, 'lost', 100_000, { amount: 100_000 }));
    expect((await booked(id))[1]).toHaveLength(4);
  });

  test('reconciles a partial dispute without findings, both open and won', async () => {
    const { attempt } = await paid();
    const told = disputeOf(attempt);
    const charge = { attempt, outcome: 'approved', reference: `ref-${attempt}`, amount: 143_050 };
    const listed = async (refunded: number): Promise<string[]> => {
      cards.plays.charges = () => ({ json: { charges: [{ ...charge, refunded }] } });
      const { parts } = service.service;
      const [connector] = parts.connectors.all;
      if (!connector) throw new Error('no connector');
      const acting = { ...parts.base, actor: testOperator };
      const day = parts.clocks.business.today();
      const report = await reconcile(noticePartsOf(parts), acting, connector, day);
      return report.findings.map(({ what }) => what).filter((what) => what.includes(attempt));
    };
    await send(told(1, 'opened', 50_000));
    expect(await listed(50_000)).toEqual([]);
    await send(told(2, 'won', 0));
    expect(await listed(0)).toEqual([]);
  });

  test('changes no books for a dispute that takes no money', async () => {
    const { id, attempt } = await paid();
    await send(disputeOf(attempt)(1, 'opened', 0));
    expect(await booked(id)).toEqual(['paid', [1430.5]]);
  });

  test('refuses a dispute until its charge is approved', async () => {
    const { charge } = cards.plays;
    cards.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
    const { id, attempt } = await paid();
    cards.plays.charge = charge;
    const opened = disputeOf(attempt)(1, 'opened', 143_050);
    cards.plays.inquiry = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });
    expect(await send(opened)).toBe(409);
    cards.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143_050);
    expect(await send(opened)).toBe(200);
    expect(await booked(id)).toEqual(['reverted', [1430.5, -1430.5]]);
  });

  test('takes and returns the acquirer’s amount for a partly refunded payment', async () => {
    const { id, attempt } = await paid();
    await player.refund(id, { amount: 430.5 });
    const kept = await gained();
    const told = disputeOf(attempt);
    expect(await send(told(1, 'opened', 100_000))).toBe(200);
    expect((await booked(id))[1]).toEqual([1430.5, -430.5, -1000]);
    expect(await send(told(2, 'won', 0))).toBe(200);
    expect(await gained()).toBe(kept);
  });

  test('books only what is left of a payment for a larger dispute, with an alarm', async () => {
    const { id, attempt } = await paid();
    await player.refund(id, { amount: 1000 });
    const opened = disputeOf(attempt)(1, 'opened', 100_000);
    expect([await send(opened), await send(opened)]).toEqual([200, 200]);
    expect((await booked(id))[1]).toEqual([1430.5, -1000, -430.5]);
    expect((await watchAlarms(() => service.sql).kinds()).slice(-1)).toEqual(['amount']);
  });

  test('takes the money once for a dispute and a chargeback of the same payment, with an alarm', async () => {
    const { id, attempt } = await paid();
    await send(disputeOf(attempt)(1, 'opened', 143_050));
    const back = { type: 'charge.charged_back', id: `cb-${attempt}`, attempt, amount: 143_050 };
    expect(await send({ ...back, reference: 'r' })).toBe(200);
    expect((await booked(id))[1]).toEqual([1430.5, -1430.5]);
    expect(await watchAlarms(() => service.sql).kinds()).toContain('back_before');
  });

  test('books a dispute of a closed account', async () => {
    const { id, attempt } = await paid();
    await service.sql`update accounts set state = 'closed' where id = ${testAccount}`;
    const told = disputeOf(attempt);
    const statuses = [await send(told(1, 'opened', 143_050)), await send(told(2, 'won', 0))];
    await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
    expect(statuses).toEqual([200, 200]);
    expect((await booked(id))[1]).toEqual([1430.5, -1430.5, 1430.5]);
  });

  test('makes the available balance negative for a dispute of paid-out money', async () => {
    const { attempt } = await paid();
    await player.move({ days: 30 });
    const [available] = await player.balances();
    expect(available).toBeGreaterThan(0);
    await service.sql`
      update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
    const pay = sendPayout(service.service.parts.base);
    await pay({
      accountId: testAccount,
      amount: centavos(Math.round(available * 100)),
      reference: 'all',
      actor: testOperator,
    });
    await send(disputeOf(attempt)(1, 'opened', 143_050));
    expect((await player.balances())[0]).toBe(-1382.82);
  });

  test('refuses a change of a dispute that names another charge or an unknown one', async () => {
    const [one, other] = [await paid(), await paid()];
    const told = disputeOf(one.attempt);
    expect(await send(told(1, 'opened', 0))).toBe(200);
    expect(await send({ ...told(2, 'lost', 143_050), attempt: other.attempt })).toBe(409);
    expect(await send({ ...told(2, 'lost', 143_050), attempt: `${testAccount}-9` })).toBe(404);
    expect(await booked(other.id)).toEqual(['paid', [1430.5]]);
  });
});

test('keeps a 3-D Secure result and shows it with disputes, but ignores an unknown result', async () => {
  const { charge } = cards.plays;
  const three_ds = { result: 'authenticated', liability: 'issuer', version: '2.2.0' };
  cards.plays.charge = ({ attempt, body }) =>
    approvedAs(`ref-${attempt}`, body.amount, { three_ds });
  const { id, attempt } = await paid();
  cards.plays.charge = ({ attempt: ref, body }) =>
    approvedAs(`ref-${ref}`, body.amount, { three_ds: { ...three_ds, result: 'later' } });
  const unknown = await paid();
  cards.plays.charge = charge;
  expect((await player.get(id)).request_result[0].payment_metadata).toMatchObject({ three_ds });
  const other = await player.get(unknown.id);
  expect(other.state).toBe('paid');
  expect(other.request_result[0].payment_metadata.three_ds).toBeUndefined();
  await send(disputeOf(attempt)(1, 'opened', 0));
  const [shown] = await readDisputes(service.sql, { accountId: testAccount, id });
  expect(shown?.three_ds).toEqual(three_ds);
});

test('lists disputes with their deadline by command', async () => {
  const { id, attempt } = await paid();
  const evidence_due_at = '2026-12-20T03:00:00Z';
  await send(disputeOf(attempt)(1, 'evidence_due', 0, { evidence_due_at }));
  const env = { DATABASE_URL: service.databaseUrl, CONNECTORS };
  const listed = await recaudo(['disputes', 'list', '--account', testAccount, '--json'], env);
  expect(JSON.parse(listed.stdout).at(-1)).toMatchObject({
    request: id,
    state: 'evidence_due',
    amount: '1430.50',
    taken: '0.00',
    evidence_due_at: '2026-12-20T00:00:00-03:00',
  });
});
