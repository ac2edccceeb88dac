import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { noticePartsOf } from '../../src/composition/notices.ts';
import { type Reconciled, reconcile } from '../../src/connectors/http.ts';
import { transferCvu } from '../../src/payment-requests/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { callerOf, itemOf } from '../harness/builders/qrs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Network, networkOf } from './network.ts';
import { approvedAs, authorizedAs, type Played, playConnector, secretOf } from './played.ts';

// Each test moves the clock by a day, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let bank: Played;
let service: TestService;
let player: Player;
let network: Network;
const channels = ['DEBIN', 'wire_transfer', 'qr', { channel: 'credit_card', captures: true }];
beforeAll(async () => {
  bank = await playConnector('bank', channels);
  service = await startService({
    ROLES: 'payments,qr',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  network = networkOf(service, bank, 'bank');
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});

/** The acquirer's records, which tests set. */
let theirs: Record<string, unknown>[] = [];
let transfers: Record<string, unknown>[] = [];
const due = 143_050;

beforeEach(async () => {
  theirs = [];
  transfers = [];
  bank.plays.charge = ({ body }) => approvedAs(`ref-${body.attempt}`, body.amount);
  bank.plays.charges = () => ({ json: { charges: theirs } });
  bank.plays.transfers = () => ({ json: { transfers } });
  bank.plays.inquiry = () => ({ status: 404, json: { message: 'nobody knows it' } });
  // A separate day for each test, beyond the lag of lists.
  await player.move({ days: 1 });
});

const today = () => service.service.parts.clocks.business.today();
const nowText = (): string =>
  service.service.parts.clocks.business.now().toString({ smallestUnit: 'millisecond' });

/** Moves past the lag of lists after a charge. Open charges are queried in the process. */
const later = () => player.move({ minutes: 5 });

async function compared(): Promise<Reconciled> {
  await later();
  return await comparedNow();
}

async function comparedNow(): Promise<Reconciled> {
  const { parts } = service.service;
  const [connector] = parts.connectors.all;
  if (!connector) throw new Error('no connector');
  return await reconcile(
    noticePartsOf(parts),
    { ...parts.base, actor: testOperator },
    connector,
    today(),
  );
}

async function charged(
  books: 'approved' | 'lost' | 'rejected' = 'approved',
): Promise<{ id: number; attempt: string }> {
  bank.plays.charge = ({ body }) => {
    if (books === 'lost') return { status: 500, json: { message: 'lost' } };
    if (books === 'approved') return approvedAs(`ref-${body.attempt}`, body.amount);
    return { json: { outcome: 'rejected', code: '51', text: 'No.', retry: 'same_later' } };
  };
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  const call = bank.calls.findLast(({ body }) => body?.request?.id === String(id));
  return { id, attempt: String(call?.attempt) };
}

const listed = (attempt: string, more: object = {}) => ({
  attempt,
  outcome: 'approved',
  reference: `ref-${attempt}`,
  amount: due,
  refunded: 0,
  ...more,
});
const whats = (list: Reconciled['findings']): string[] => list.map(({ what }) => what);
const stateOf = async (id: number): Promise<[string, number]> => {
  const { state, request_result } = await player.get(id);
  return [state, request_result.length];
};

describe('authorized charges', () => {
  const authorized = async (): Promise<{ id: number; attempt: string }> => {
    const { business } = service.service.parts.clocks;
    const answer = authorizedAs('ref-held', due, business.now());
    bank.plays.charge = () => answer;
    bank.plays.inquiry = () => answer;
    bank.plays.hold = () => (response) => response.destroy();
    const id = await player.create();
    await player.pay(id, { channel: 'credit_card' });
    const call = bank.calls.findLast(({ body }) => body?.request?.id === String(id));
    return { id, attempt: String(call?.attempt) };
  };

  test('reports a listed authorization only after its expiry, and captures it once the connector answers', async () => {
    const { id, attempt } = await authorized();
    theirs = [listed(attempt, { outcome: 'authorized' })];
    expect(await comparedNow()).toMatchObject({ charges: 1, recorded: [], findings: [] });
    await player.move({ days: 8 });
    expect(whats((await comparedNow()).findings)).toEqual([
      expect.stringMatching(/bank held 143050 centavos until .*, without a capture or void/),
    ]);
    bank.plays.hold = ({ body }) => approvedAs(body.reference, body.amount);
    const [what] = whats((await comparedNow()).recorded);
    expect(what).toContain('which are captured now');
    expect(await stateOf(id)).toEqual(['paid', 1]);
  });
});

describe('charges', () => {
  test('writes nothing but an event if both sides agree', async () => {
    const { attempt } = await charged();
    const { attempt: refused } = await charged('rejected');
    theirs = [listed(attempt), listed(refused, { outcome: 'rejected' })];
    const report = await compared();
    expect(report).toMatchObject({ charges: 2, recorded: [], findings: [] });
    const [event] = await service.sql<{ actor: string; data: Record<string, unknown> }[]>`
      select actor, data from operator_events where type = 'connector.reconciled'
      order by id desc limit 1`;
    expect(event).toMatchObject({ data: { day: today().toString(), charges: 2, findings: 0 } });
  });

  test.each(['lost', 'rejected'] as const)(
    'inquires about charges in the list that we have as %s, and records them once',
    async (books) => {
      const { id, attempt } = await charged(books);
      theirs = [listed(attempt)];
      await later();
      bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, due);
      const reports = [await comparedNow(), await compared()];
      expect(reports.map(({ recorded, findings }) => [recorded.length, findings.length])).toEqual([
        [1, 0],
        [0, 0],
      ]);
      expect(await stateOf(id)).toEqual(['paid', books === 'lost' ? 1 : 2]);
    },
  );

  test('reports charges found only in the list', async () => {
    const { id, attempt } = await charged('lost');
    theirs = [listed(attempt)];
    const { findings, recorded } = await compared();
    expect(whats(findings)).toEqual([
      `charge ${attempt} of request ${id}: bank took ${due} centavos, but no payment is recorded`,
    ]);
    expect([recorded, await stateOf(id)]).toEqual([[], ['pending', 0]]);
  });

  test('reports booked charges missing from the list, after a delay', async () => {
    const { attempt } = await charged();
    const soon = await comparedNow();
    expect(soon.findings).toEqual([]);
    expect(whats((await compared()).findings)).toEqual([
      expect.stringContaining(`charge ${attempt}`),
    ]);
  });

  test.each([
    ['another amount', { amount: due - 1 }, `took ${due - 1} centavos, but ${due} are recorded`],
    ['a refusal', { outcome: 'rejected' }, 'says rejected, but a payment is recorded'],
    ['a pending charge', { outcome: 'pending' }, 'says pending, but a payment is recorded'],
    ['a refund', { refunded: 500 }, 'refunded 500 centavos, but 0 are recorded'],
  ])('reports a charge as a finding if the acquirer lists %s', async (_what, difference, text) => {
    const { attempt } = await charged();
    theirs = [listed(attempt, difference)];
    const { findings } = await compared();
    expect(whats(findings)).toEqual([expect.stringContaining(text)]);
  });

  test('inquires about annulled charges and reverses them once', async () => {
    const { id, attempt } = await charged();
    theirs = [listed(attempt, { outcome: 'canceled' })];
    bank.plays.inquiry = () => ({ json: { outcome: 'canceled' } });
    expect((await compared()).recorded).toHaveLength(1);
    expect(await compared()).toMatchObject({ recorded: [], findings: [] });
    expect(await stateOf(id)).toEqual(['refunded', 2]);
  });

  test('matches a partly refunded charge, and reports it if the list lacks the refund', async () => {
    const { id, attempt } = await charged();
    const refund = { refund: { amount: 10 } };
    await service.call('POST', `/payment-request/${id}/refund`, { body: refund });
    theirs = [listed(attempt, { refunded: 1_000 })];
    expect((await compared()).findings).toEqual([]);
    theirs = [listed(attempt)];
    expect((await compared()).findings).toHaveLength(1);
  });

  test('skips other deployments’ charges, and reports unknown ones as findings', async () => {
    theirs = [
      listed('OTHER-SITE-9'),
      listed(`${testAccount}-999999999`),
      listed(`${testAccount}-999999998`, { outcome: 'rejected' }),
    ];
    const report = await compared();
    expect([report.foreign, whats(report.findings)]).toEqual([
      3,
      [
        `charge ${testAccount}-999999999: bank took ${due} centavos, but the charge is unknown here`,
      ],
    ]);
  });

  test('records wallet payments from the list, once', async () => {
    const caller = callerOf(service);
    await caller.save([itemOf(service, 'listed')]);
    const { qr_string: code } = (await caller.status('listed')).body;
    const { trx } = await network.intend(code, due);
    const payment = { trx, code, paid_at: nowText() };
    const lost = { trx: network.trx(), code: code.replace(/....$/, '0000'), paid_at: nowText() };
    theirs = [payment, lost].map((one) => ({
      payment: one,
      outcome: 'approved',
      amount: due,
      refunded: 0,
    }));
    await later();
    bank.plays.inquiry = () => approvedAs(trx, due);
    expect((await comparedNow()).recorded).toHaveLength(2);
    expect(await compared()).toMatchObject({ recorded: [], findings: [] });
    expect((await caller.status('listed')).body.status).toBe('Paid');
  });
});

describe('transfers', () => {
  const received = (id: string, request: number, more: object = {}) => ({
    id,
    cvu: transferCvu(service.config.CVU_PSP ?? '', request),
    amount: due,
    paid_at: nowText(),
    state: 'received',
    ...more,
  });

  test('records transfers without a notice, and reverses reversed ones, once', async () => {
    const [id, back] = [await player.create(), await player.create()];
    transfers = [received('r-1', id), received('r-2', back, { state: 'reversed' })];
    expect((await compared()).recorded).toHaveLength(3);
    expect(await compared()).toMatchObject({ transfers: 2, recorded: [], findings: [] });
    expect([await stateOf(id), await stateOf(back)]).toEqual([
      ['paid', 1],
      ['reverted', 2],
    ]);
  });

  test('reports transfers with another amount, or missing in the list, as findings', async () => {
    const id = await player.create();
    transfers = [received('r-3', id), received('r-4', id)];
    await compared();
    transfers = [received('r-3', id, { amount: 1 })];
    const { findings } = await compared();
    expect(whats(findings)).toEqual([
      `transfer r-3: bank says 1 centavos, but ${due} are recorded`,
      `transfer r-4: ${due} centavos are recorded, but bank lists no such transfer`,
    ]);
  });

  test('reports transfers to another connector’s account, and records nothing', async () => {
    const id = await player.create();
    const foreign = received('r-6', id);
    await service.sql`
      insert into transfer_accounts (account_id, request_id, connector, cvu, opened_at)
      values (${testAccount}, ${id}, 'other', ${foreign.cvu}, now())`;
    transfers = [foreign];
    const { findings, recorded } = await compared();
    await service.sql`delete from transfer_accounts where cvu = ${foreign.cvu}`;
    const what = `transfer r-6: ${due} centavos arrived, which bank is not allowed to report`;
    expect([whats(findings), recorded, await stateOf(id)]).toEqual([[what], [], ['pending', 0]]);
  });

  test('records the reversal of a transfer that is in suspense', async () => {
    const nobodys = received('r-5', 1, { cvu: '0000003100010000000001' });
    transfers = [nobodys];
    expect((await compared()).recorded).toHaveLength(1);
    transfers = [{ ...nobodys, state: 'reversed' }];
    const { findings, recorded } = await compared();
    expect(whats(findings)).toEqual([]);
    expect(whats(recorded)).toEqual(['transfer r-5 was reversed without a notice']);
  });
});

describe('a list that is not available', () => {
  test.each<[string, () => object]>([
    ['is answered with a fault', () => ({ status: 500, json: { message: 'no' } })],
    ['does not follow the protocol', () => ({ json: { charges: [{ attempt: 1 }] } })],
    ['is HTML', () => ({ text: '<html>' })],
    ['never ends', () => ({ json: { charges: [], next: 'again' } })],
  ])('records nothing if the list %s', async (_how, play) => {
    bank.plays.charges = play;
    await expect(compared()).rejects.toThrow(/^The list of charges/);
    const kept = await service.sql`
      select 1 from reconciliations where day = ${today()}::date`;
    expect(kept).toEqual([]);
  });

  test('reads lists page by page', async () => {
    const { attempt } = await charged();
    bank.plays.charges = ({ path }) =>
      path.includes('after=2')
        ? { json: { charges: [listed(attempt)] } }
        : { json: { charges: [], next: '2' } };
    expect(await compared()).toMatchObject({ charges: 1, findings: [] });
  });
});

describe('the command', () => {
  const env = () => ({
    DATABASE_URL: service.databaseUrl,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  const run = (...words: string[]) => recaudo(['connectors', 'reconcile', ...words], env());

  test('prints findings, exits 1, and fails the audit until the day is compared again', async () => {
    const { attempt } = await charged();
    await later();
    const day = today().toString();
    const { code, stdout } = await run('--day', day, '--json');
    const { connectors } = JSON.parse(stdout);
    expect([code, connectors[0].findings]).toEqual([
      1,
      [{ account: testAccount, what: expect.stringContaining(attempt) }],
    ]);
    const faults = (await auditAccount(service.sql, testAccount)).map(({ what }) => what);
    expect(faults).toContainEqual(expect.stringContaining(`with bank: charge ${attempt}`));
    theirs = [listed(attempt)];
    const again = await run('--day', day);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining('1 charges and 0 transfers compared, 0 recorded, 0 findings'),
    ]);
    const left = await auditAccount(service.sql, testAccount);
    expect(left.filter(({ what }) => what.includes(attempt))).toEqual([]);
  });

  test('continues after an unreachable connector, and fails at the end', async () => {
    const { attempt } = await charged();
    theirs = [listed(attempt)];
    await later();
    const gone = { name: 'away', url: 'http://127.0.0.1:9', secrets: [secretOf('away')] };
    const away = bank.configured(gone);
    const CONNECTORS = JSON.stringify([away, bank.configured()]);
    const words = ['connectors', 'reconcile', '--day', today().toString()];
    const { code, stdout, stderr } = await recaudo(words, { ...env(), CONNECTORS });
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringContaining('bank: 1 charges and 0 transfers compared'),
      expect.stringContaining('away gave no usable answer'),
    ]);
  });

  test('refuses a future day, an unknown connector, and a run without connectors', async () => {
    const tomorrow = today().add({ days: 1 }).toString();
    expect((await run('--day', tomorrow)).stderr).toContain('The day is in the future');
    const unknown = await run('--day', today().toString(), '--connector', 'x');
    expect([unknown.code, unknown.stderr]).toEqual([1, 'error: CONNECTORS does not list x.\n']);
    const none = await recaudo(['connectors', 'reconcile', '--day', today().toString()], {
      DATABASE_URL: service.databaseUrl,
    });
    expect([none.code, none.stderr]).toEqual([
      1,
      'error: CONNECTORS does not list any connector.\n',
    ]);
  });

  test('records missing charges once in two concurrent runs', async () => {
    const { id, attempt } = await charged('lost');
    theirs = [listed(attempt)];
    await later();
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, due);
    const day = today().toString();
    const both = await Promise.all([run('--day', day), run('--day', day)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await stateOf(id)).toEqual(['paid', 1]);
  });
});
