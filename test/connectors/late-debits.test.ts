import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyFor } from '../../connectors/protocol/signature.ts';
import { setAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import type { Player } from '../scenarios/play.ts';
import { type Keeper, openKeeper } from './keeper.ts';
import { approvedAs, type Played } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Covers debits of stored cards whose first order got no answer, and which were ordered again. */
let keeper: Keeper;
let acquirer: Played;
let plays: Played['plays'];
let service: TestService;
let player: Player;
beforeAll(async () => {
  keeper = await openKeeper();
  ({ acquirer, plays, service, player } = keeper);
});
afterAll(() => keeper?.stop());
const alarms = watchAlarms(() => service.sql);
beforeEach(async () => {
  keeper.reset();
  await alarms.forget();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const returns = (returnsLateApprovals: boolean) => {
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  return setAccount(acting)({ accountId: testAccount, returnsLateApprovals });
};

async function debitOfKeptCard(): Promise<number> {
  const made = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
  await signKeptCard(signingUrl(service, 'card_adhesion', made.body.id));
  const { status, body: debit, text } = await createCardDebit(service, made.body.id);
  expect(status, text).toBe(201);
  return debit.id;
}

const read = async (id: number) => (await service.call('GET', `/card-debit-request/${id}`)).body;
const typesOf = async (id: number): Promise<string[]> =>
  (await read(id)).request_result.map(({ type }: { type: string }) =>
    type.replace('_card_debit_request_result', ''),
  );
/** Returns the charges of a debit, in the order in which they were sent. */
const attemptsOf = (id: number): string[] =>
  acquirer.calls
    .filter(
      ({ method, path, body }) =>
        method === 'PUT' && /^\/charges\/[^/]+$/.test(path) && body.request.id === `${id}`,
    )
    .map(({ attempt }) => String(attempt));
const refunds = () => acquirer.calls.filter(({ path }) => path.includes('/refunds/'));

async function notify(notice: object): Promise<number> {
  const path = '/connectors/acquirer/notices';
  const body = bodyFor('POST', path, notice);
  const headers = { ...acquirer.signed(body) };
  return (await service.call('POST', path, { body, key: null, headers })).status;
}
const tell = (attempt: string): Promise<number> => notify({ type: 'charge.changed', attempt });

/** Creates a debit whose only charge got no answer, and which the connector then denied twice. */
async function unheard(): Promise<number> {
  const id = await debitOfKeptCard();
  await handOver(service, id);
  acquirer.plays.charge = () => (response) => response.destroy();
  acquirer.plays.inquiry = () => ({ json: { outcome: 'unheard' } });
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${id}`;
  await player.move({ advance_to: `${row?.run_on}T00:01:00-03:00` });
  await player.move({ minutes: 15 });
  expect([(await read(id)).state, attemptsOf(id).length]).toEqual(['in_process', 1]);
  acquirer.plays.charge = plays.charge;
  return id;
}

const approveLate = () => {
  acquirer.plays.inquiry = ({ attempt }) => approvedAs(`late-${attempt}`, 143050);
};

async function chargedAnew(): Promise<{ id: number; first: string }> {
  const id = await unheard();
  await player.move({ hours: 2 });
  const [first = '', ...others] = attemptsOf(id);
  expect([(await read(id)).state, others.length]).toEqual(['paid', 1]);
  return { id, first };
}

const settings = [
  ['records late approvals', false],
  ['returns late approvals', true],
] as const;

describe.each(settings)('a debit of an account that %s', (_what, back) => {
  beforeEach(() => returns(back));

  test('refunds a late approval after the second charge succeeds', async () => {
    const { id, first } = await chargedAnew();
    approveLate();
    expect(await Promise.all([tell(first), tell(first)])).toEqual([200, 200]);
    expect(await tell(first)).toBe(200);
    expect(await typesOf(id)).toEqual(['collected', 'collected', 'refund']);
    expect(refunds().map(({ body }) => body.reference)).toEqual([`late-${first}`]);
    expect((await read(id)).state).toBe('paid');
    await player.move({ days: 3 });
    expect(attemptsOf(id)).toHaveLength(2);
  });

  test('accepts a late approval that precedes the second charge', async () => {
    const id = await unheard();
    approveLate();
    const [first = ''] = attemptsOf(id);
    expect(await tell(first)).toBe(200);
    await player.move({ hours: 3 });
    expect([await typesOf(id), attemptsOf(id).length]).toEqual([['collected'], 1]);
    expect((await read(id)).state).toBe('paid');
    await player.move({ days: 3 });
    expect(attemptsOf(id)).toHaveLength(1);
  });

  test('charges at most twice before rejecting, and refunds one of two approvals', async () => {
    const id = await unheard();
    acquirer.plays.charge = () => (response) => response.destroy();
    await player.move({ days: 4 });
    const orders = attemptsOf(id);
    expect([orders.length, (await read(id)).state]).toEqual([2, 'rejected']);
    expect((await read(id)).state_comment).toContain('The acquirer confirmed no charge');
    expect(await alarms.money()).toMatchObject([
      { kind: 'debit_not_charged', request_id: id, amount: 143050 },
    ]);
    approveLate();
    expect(await Promise.all(orders.map(tell))).toEqual([200, 200]);
    expect((await typesOf(id)).toSorted()).toEqual([
      'collected',
      'collected',
      'refund',
      'rejected',
    ]);
    expect((await read(id)).state).toBe('paid');
  });
});

test('orders an unaccepted charge a second time on its day, then rejects the debit', async () => {
  const id = await debitOfKeptCard();
  await handOver(service, id);
  acquirer.plays.charge = () => ({ json: { outcome: 'unheard' } });
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${id}`;
  await player.move({ advance_to: `${row?.run_on}T00:01:00-03:00` });
  await player.move({ days: 30 });
  expect([attemptsOf(id).length, (await read(id)).state]).toEqual([2, 'rejected']);
});

test('does not order a debit again after its day', async () => {
  const id = await debitOfKeptCard();
  await handOver(service, id);
  acquirer.plays.charge = () => (response) => response.destroy();
  acquirer.plays.inquiry = () => ({ status: 500, json: { message: 'away' } });
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${id}`;
  await player.move({ advance_to: `${row?.run_on}T23:00:00-03:00` });
  await player.move({ hours: 2 });
  acquirer.plays.inquiry = () => ({ json: { outcome: 'unheard' } });
  await player.move({ days: 4 });
  expect([attemptsOf(id).length, (await read(id)).state]).toEqual([1, 'rejected']);
});

test('charges a debit on the first day on which a worker runs again', async () => {
  const id = await debitOfKeptCard();
  await handOver(service, id);
  // No worker looks at the debit on its day.
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    update debit_runs set look_at = (run_on + interval '34 hours') at time zone 'America/Argentina/Buenos_Aires'
    where request_id = ${id} returning run_on`;
  await player.move({ advance_to: `${row?.run_on}T23:59:00-03:00` });
  expect([(await read(id)).state, attemptsOf(id)]).toEqual(['in_process', []]);
  await player.move({ hours: 11 });
  expect([(await read(id)).state, attemptsOf(id).length]).toEqual(['paid', 1]);
});

describe('a debit that fails before its first attempt at 23:30', () => {
  /** Moves to the failure. Returns the debit, and a function that mends the cause. */
  async function failed(): Promise<{ id: number; mend: () => Promise<unknown> }> {
    const id = await debitOfKeptCard();
    await handOver(service, id);
    const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
      update debit_runs set look_at = (run_on + time '23:30') at time zone 'America/Argentina/Buenos_Aires'
      where request_id = ${id} returning run_on`;
    await service.sql.unsafe(`
      create function fail_update() returns trigger language plpgsql as $$
        begin raise exception 'the update fails'; end $$;
      create trigger fail_update before update on debit_runs for each row
        when (new.request_id = ${id} and new.attempt_id is not null) execute function fail_update()`);
    await player.move({ advance_to: `${row?.run_on}T23:30:00-03:00` });
    expect([(await read(id)).state, attemptsOf(id)]).toEqual(['in_process', []]);
    return { id, mend: () => service.sql`drop function fail_update() cascade` };
  }

  test('is charged a minute later', async () => {
    const { id, mend } = await failed();
    await mend();
    await player.move({ minutes: 1 });
    expect([attemptsOf(id).length, (await read(id)).state]).toEqual([1, 'paid']);
  });

  test('is rejected at midnight, and never charged', async () => {
    const { id, mend } = await failed();
    await player.move({ minutes: 28 });
    expect((await read(id)).state).toBe('in_process');
    await player.move({ minutes: 3 });
    await mend();
    const { state, state_comment: comment } = await read(id);
    expect([state, comment]).toEqual(['rejected', expect.stringContaining('unreachable')]);
    expect(await alarms.money()).toMatchObject([{ kind: 'debit_not_charged', request_id: id }]);
    await player.move({ days: 3 });
    expect(attemptsOf(id)).toEqual([]);
  });
});

test('accepts an approval of the first charge during the second, and refunds the second', async () => {
  await returns(false);
  const id = await unheard();
  acquirer.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 3600 } });
  acquirer.plays.inquiry = () => ({ json: { outcome: 'pending', ask_after_s: 3600 } });
  await player.move({ hours: 2 });
  const [first = '', second = ''] = attemptsOf(id);
  approveLate();
  expect(await tell(first)).toBe(200);
  expect(await tell(second)).toBe(200);
  expect(await typesOf(id)).toEqual(['collected', 'collected', 'refund']);
  expect((await read(id)).state).toBe('paid');
  await player.move({ days: 2 });
  expect(attemptsOf(id)).toHaveLength(2);
});

test('raises an alarm for a debit whose card is closed after an unknown order', async () => {
  const id = await unheard();
  const keeping = acquirer.calls.find(({ path }) => path.startsWith('/cards/'));
  acquirer.plays.card = () => ({ json: { outcome: 'closed', code: '04', text: 'Stolen' } });
  const card = String(keeping?.path).slice('/cards/'.length);
  expect(await notify({ type: 'card.changed', card })).toBe(200);
  await player.move({ hours: 2 });
  const { state, state_comment: comment } = await read(id);
  expect([state, comment]).toEqual(['rejected', 'card_closed: The card on file is closed. Stolen']);
  expect(attemptsOf(id)).toHaveLength(1);
  expect(await alarms.money()).toMatchObject([{ kind: 'debit_not_charged', request_id: id }]);
});
