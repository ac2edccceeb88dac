import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance } from '../harness/builders/clock.ts';
import {
  createCardDebit,
  createDebit,
  getDebit,
  handOver,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Santa Fe', '2020-01-01', 20000 from accounts`;
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const cancel = (id: number) => service.call('PUT', `/debit-request/${id}/cancel`);

test('moves a bank debit from pending through in process to paid and available', async () => {
  const { body } = await createDebit(service, await signedAdhesion(service));
  await handOver(service, body.id);
  expect((await getDebit(service, body.id)).state).toBe('in_process');
  await advance(service, { days: 5 });
  const paid = await getDebit(service, body.id);
  expect(paid).toMatchObject({ state: 'paid', request_result: [{ channel: 'Débito directo' }] });
  await advance(service, { days: 30 });
  expect((await getDebit(service, body.id)).request_result[0].is_available).toBe(true);
});

test('submits and pays a card debit under its brand', async () => {
  const { body } = await createCardDebit(service, await signedCardAdhesion(service));
  await advance(service, { days: 90 });
  expect((await service.call('GET', `/card-debit-request/${body.id}`)).body).toMatchObject({
    state: 'paid',
    request_result: [{ type: 'collected_card_debit_request_result', channel: 'Visa' }],
  });
});

describe('cancel', () => {
  test('cancels a pending debit with a reason, and is safe to repeat', async () => {
    const { body } = await createDebit(service, await signedAdhesion(service));
    const first = await cancel(body.id);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      ...body,
      adhesion: expect.any(Object),
      state: 'canceled',
      state_comment: 'Canceled by the collector.',
      request_result: [],
    });
    expect((await cancel(body.id)).text).toBe(first.text);
    expect(await getDebit(service, body.id)).toEqual(first.body);
    await advance(service, { days: 40 });
    expect((await getDebit(service, body.id)).state).toBe('canceled');
  });

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['in_process', async () => {}],
    ['paid', (id) => settle(service, id, { paid: true })],
    ['rejected', (id) => settle(service, id, { code: 'R08' })],
  ])('answers 409 to canceling a debit that is %s, with its state', async (state, reach) => {
    const { debit } = await submittedDebit(service);
    await reach(debit);
    const answer = await cancel(debit);
    expectError(answer, 409);
    expect(answer.body.message).toContain(state);
  });

  test('applies either the cancellation or a concurrent submission', async () => {
    const { parts } = service.service;
    const adhesion = await signedAdhesion(service);
    const made = await Promise.all(
      Array.from({ length: 30 }, () => createDebit(service, adhesion)),
    );
    const [due] = await service.sql<{ on: Temporal.PlainDate }[]>`
      select submit_on as on from debit_runs where request_id = ${made[0]?.body.id}`;
    await parts.clocks.moveTo(Temporal.Instant.from(`${due?.on}T03:00:00Z`));
    const sweep = () => parts.debits.sweep.run(parts.clocks.business.now());
    const [first, second, ...canceled] = await Promise.all([
      sweep(),
      sweep(),
      ...made.map(({ body }) => cancel(body.id)),
    ]);
    expect(Number(first) + Number(second)).toBeLessThanOrEqual(30);
    await sweep();
    for (const [at, { body }] of made.entries()) {
      const { status } = canceled[at] as { status: number };
      const [row] = await service.sql<{ state: string; run: string; moves: number }[]>`
        select r.state, d.state as run,
          (select count(*)::int from events where account_id = ${testAccount}
            and entity_id = ${String(body.id)}
            and type in ('debit_request.submitted', 'debit_request.canceled')) as moves
        from requests r join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
        where r.account_id = ${testAccount} and r.id = ${body.id}`;
      expect(row).toEqual(
        status === 200
          ? { state: 'canceled', run: 'done', moves: 1 }
          : { state: 'in_process', run: 'submitted', moves: 1 },
      );
    }
  });
});

describe('returned money', () => {
  const sandbox = (verb: string, id: number, body = {}) =>
    service.call('POST', `/sandbox/${verb}/${id}`, { body });

  test('reverses a debit in full for its holder, and returns it as GET does', async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { paid: true });
    const answer = await sandbox('chargeback', debit);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await getDebit(service, debit));
    expect(answer.body).toMatchObject({
      state: 'reverted',
      state_comment: 'Reversed by the holder.',
      request_result: [
        { type: 'collected_debit_request_result' },
        { type: 'chargeback_debit_request_result', amount: 1430.5 },
      ],
    });
    expectError(await sandbox('chargeback', debit), 409);
  });

  test('keeps the debit paid during partial refunds, until all is refunded', async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { paid: true });
    expect((await sandbox('refund', debit, { amount: 1000 })).body.state).toBe('paid');
    expectError(await sandbox('refund', debit, { amount: 430.51 }), 400);
    expect((await sandbox('refund', debit, { amount: 430.5 })).body.state).toBe('refunded');
    expectError(await sandbox('refund', debit), 409);
    const { request_result } = await getDebit(service, debit);
    expect(request_result.map((one: { amount: number }) => one.amount)).toEqual([
      1430.5, 1000, 430.5,
    ]);
  });

  test('returns a reversed card debit in its own format', async () => {
    const { body } = await createCardDebit(service, await signedCardAdhesion(service));
    await advance(service, { days: 90 });
    const { body: reverted } = await sandbox('chargeback', body.id);
    expect(reverted).toMatchObject({ type: 'card_debit_request', state: 'reverted' });
  });

  test('returns retentions on demand, once the debit is paid', async () => {
    const { debit } = await submittedDebit(service);
    expect(await getDebit(service, debit, '?detail_retentions=true')).not.toHaveProperty(
      'retentions',
    );
    await settle(service, debit, { paid: true });
    expect(await getDebit(service, debit)).not.toHaveProperty('retentions');
    const asked = await getDebit(service, debit, '?detail_retentions=1');
    expect(asked.retentions).toEqual([
      {
        regime: 'SIRTAC',
        jurisdiction: 'Santa Fe',
        base: 1430.5,
        rate: 2,
        amount: 28.61,
        certificate: expect.any(String),
      },
    ]);
    await sandbox('chargeback', debit);
    const back = await getDebit(service, debit, '?detail_retentions=true');
    expect(back.retentions.map((one: { amount: number }) => one.amount)).toEqual([28.61, -28.61]);
  });
});

describe('the list', () => {
  test('filters by state, holder, amount, reference and id, within the account only', async () => {
    const adhesion = await signedAdhesion(service, {
      adhesion_holder_name: 'Rita Ñandú',
      external_reference: 'rita',
    });
    const amounts = [100, 200, 300];
    const made = [];
    for (const first_total of amounts) {
      made.push((await createDebit(service, adhesion, { first_total })).body);
    }
    await cancel(made[2].id);
    const list = async (query: Record<string, string | number>) => {
      const pairs = Object.entries({ adhesion_holder_name: 'Rita Ñandú', ...query });
      const text = new URLSearchParams(pairs.map(([name, value]) => [name, `${value}`]));
      const { status, body } = await service.call('GET', `/debit-request?${text}`);
      expect(status).toBe(200);
      return body.data.map((row: { id: number }) => row.id);
    };
    const ids = made.map(({ id }) => id);
    expect(await list({})).toEqual(ids);
    expect(await list({ state: 'pending' })).toEqual(ids.slice(0, 2));
    expect(await list({ state: 'canceled' })).toEqual([ids[2]]);
    expect(await list({ first_total_gte: 200 })).toEqual(ids.slice(1));
    expect(await list({ first_total_lte: '199.99' })).toEqual([ids[0]]);
    expect(await list({ external_reference: 'rita' })).toEqual(ids);
    expect(await list({ after: ids[0] })).toEqual(ids.slice(1));
    const { body } = await service.call('GET', `/debit-request?id=${ids[0]}`);
    expect(body.data).toEqual([{ ...made[0], request_result: [] }]);
    const other = (await anotherAccount(service)).key;
    expect((await service.call('GET', '/debit-request', { key: other })).body.data).toEqual([]);
    expectError(await service.call('GET', '/debit-request?state=expired'), 400);
    expect((await service.call('GET', '/card-debit-request?state=paid')).status).toBe(200);
  });
});

test('allows reversing a bank debit for 30 days, not on the 31st', async () => {
  const paid = async () => {
    const { body } = await createDebit(service, await signedAdhesion(service));
    const [run] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
      select run_on from debit_runs where request_id = ${body.id}`;
    if (!run) throw new Error('no run');
    return { id: body.id as number, on: run.run_on };
  };
  const first = await paid();
  const second = await paid();
  expect(first.on.equals(second.on)).toBe(true);
  const goTo = (days: number) =>
    advance(service, { advance_to: `${first.on.add({ days })}T12:00:00-03:00` });
  const chargeback = (id: number) =>
    service.call('POST', `/sandbox/chargeback/${id}`, { body: {} });
  await goTo(30);
  expect((await chargeback(first.id)).status).toBe(200);
  await goTo(31);
  const late = await chargeback(second.id);
  expectError(late, 409);
  expect(late.body.message).toContain('30 days');
  expect((await getDebit(service, second.id)).state).toBe('paid');
});
