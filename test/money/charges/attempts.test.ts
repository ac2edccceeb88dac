import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { loadCalendar } from '../../../src/calendar/index.ts';
import { simulatedChannels } from '../../../src/composition/simulator.ts';
import { isoDateTime } from '../../../src/kernel/dates.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { type Channel, cardKinds, soleChannel } from '../../../src/money/channels/index.ts';
import { createAttemptVerbs } from '../../../src/money/charges/index.ts';
import { batchedRecord, recordFacts } from '../../../src/money/collections/index.ts';
import { payer } from '../../../src/platform/actor.ts';
import type { RequestRow } from '../../../src/requests/index.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const loadCardKinds = async () => cardKinds([]);

/** Creates a channel with the name of the one that made the attempts of this file. */
const playedChannel = (plays: Pick<Channel, 'charge' | 'inquire'>): Channel => ({
  name: 'simulator',
  answersWithinS: 10,
  form: () => ({ kind: 'typed', asks: [] }),
  giveBack: () => null,
  cancels: () => false,
  endHold: async () => ({ outcome: 'unknown' }),
  cancel: async () => ({ outcome: 'unknown' }),
  ...plays,
});

const keepsAll = { note: async () => false, decide: async () => false };
const limits = { free: 5, pauseSeconds: 60, perDay: 20, perRequest: 50 };
const velocity = { address: 0, card: 0, bin: 0, account: 0 };
const details = JSON.stringify({ label: 'DEBIN', actor: 'payer', details: {} });

/**
 * Inserts the rows of a process that crashed between storing the attempt and recording its answer.
 */
async function diedWhilePaying(
  requestId: number,
  { charged }: { charged: 'approved' | 'rejected' | 'not at all' },
): Promise<number> {
  const { base, clocks } = service.service.parts;
  const id = await base.recordIds.next();
  const now = clocks.business.now();
  await service.sql`
    insert into attempts (account_id, id, request_id, channel, connector, amount, state, details,
      started_at, ask_at)
    values (${testAccount}, ${id}, ${requestId}, 'DEBIN', 'simulator', 143050, 'started',
      ${details}::text::json, ${now}::timestamptz, ${now.add({ minutes: 2 })}::timestamptz)`;
  if (charged === 'not at all') return id;
  const outcome = JSON.stringify(
    charged === 'approved'
      ? { outcome: 'approved', authorization_code: '1', request_id: requestId }
      : { outcome: 'rejected', code: 'rejected', text: 'No.', request_id: requestId },
  );
  await service.sql`
    insert into simulated_charges (account_id, attempt_id, amount, digest, outcome, answers_at)
    values (${testAccount}, ${id}, 143050, 'of the order', ${outcome}::text::json, ${now}::timestamptz)`;
  return id;
}

const stateOf = async (attemptId: number): Promise<string | undefined> => {
  const [row] = await service.sql<{ state: string }[]>`
    select state from attempts where account_id = ${testAccount} and id = ${attemptId}`;
  return row?.state;
};

describe('an attempt of a crashed process', () => {
  test('blocks other attempts and leaves the open one untouched until its lease ends', async () => {
    const id = await player.create();
    const attempt = await diedWhilePaying(id, { charged: 'approved' });
    expect((await player.pay(id, { channel: 'qr' })).status).toBe(409);
    await player.move({ minutes: 1 });
    expect(await stateOf(attempt)).toBe('started');
    await player.move({ minutes: 2 });
    expect(await stateOf(attempt)).toBe('done');
  });

  test('records an attempt once if the channel took the money', async () => {
    const id = await player.create();
    const attempt = await diedWhilePaying(id, { charged: 'approved' });
    const { body } = await player.move({ minutes: 3 });
    expect(body.happened).toContainEqual({ what: 'unanswered charges settled', count: 1 });
    const again = await player.move({ minutes: 3 });
    expect(again.body.happened.map((one: { what: string }) => one.what)).not.toContain(
      'unanswered charges settled',
    );
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['paid', 1]);
    expect(await stateOf(attempt)).toBe('done');
  });

  test.each([
    ['the simulator, which reports when it decided', true],
    ['a channel that does not report it', false],
  ])(
    'counts an attempt on its own day if it is resolved a day later by %s',
    async (_who, tells) => {
      const { base, clocks } = service.service.parts;
      const id = await player.create();
      const attempt = await diedWhilePaying(id, { charged: 'approved' });
      const tried = isoDateTime(clocks.business.now());
      const wait = clocks.business.now().add({ hours: 26 });
      await service.sql`
      update attempts set ask_at = ${wait}::timestamptz where id = ${attempt}`;
      if (!tells) {
        const approved = { outcome: 'approved', answer: {} } as const;
        const channel = playedChannel({
          charge: async () => approved,
          inquire: async () => approved,
        });
        const record = batchedRecord(
          base,
          recordFacts(base, () => loadCalendar(service.sql)),
        );
        await clocks.moveTo(wait);
        await createAttemptVerbs(base, {
          connected: soleChannel(channel, ['DEBIN']),
          record,
          limits,
          velocity,
          loadCardKinds,
          unwanted: keepsAll,
        }).sweep.run(clocks.business.now());
      } else await player.move({ hours: 27 });
      const [result] = (await player.get(id)).request_result;
      expect(result.paid_at).toBe(tried);
      expect(result.created_at > result.paid_at).toBe(true);
    },
  );

  test('does not inquire again before the time that the channel announced', async () => {
    const { base, clocks } = service.service.parts;
    const id = await player.create();
    const attempt = await diedWhilePaying(id, { charged: 'not at all' });
    await service.sql`
      update attempts set ask_at = ${clocks.business.now()}::timestamptz where id = ${attempt}`;
    const askAgainAt = clocks.business.now().add({ hours: 5 });
    let asked = 0;
    const unknown = { outcome: 'unknown', askAgainAt } as const;
    const channel = playedChannel({
      charge: async () => unknown,
      inquire: async () => {
        asked += 1;
        return unknown;
      },
    });
    const { sweep } = createAttemptVerbs(base, {
      connected: soleChannel(channel, ['DEBIN']),
      loadCardKinds,
      unwanted: keepsAll,
      record: async () => ({ outcome: 'known' }),
      limits,
      velocity,
    });
    for (let times = 0; times < 3; times += 1) await sweep.run(clocks.business.now());
    await sweep.run(askAgainAt.subtract({ milliseconds: 1 }));
    expect(asked).toBe(1);
    const [row] = await service.sql<{ ask_at: Temporal.Instant }[]>`
      select ask_at from attempts where id = ${attempt}`;
    expect(row?.ask_at.epochMilliseconds).toBe(askAgainAt.epochMilliseconds);
    await service.sql`update attempts set state = 'done' where id = ${attempt}`;
  });

  test('records an attempt as rejected if the channel refused it', async () => {
    const id = await player.create();
    await diedWhilePaying(id, { charged: 'rejected' });
    await player.move({ minutes: 3 });
    const { state, request_result } = await player.get(id);
    expect([state, request_result[0].type]).toEqual(['pending', 'rejected_payment_request_result']);
  });

  test('leaves no result of an attempt that never reached the channel, and allows a retry', async () => {
    const id = await player.create();
    const attempt = await diedWhilePaying(id, { charged: 'not at all' });
    await player.move({ minutes: 5 });
    expect(await stateOf(attempt)).toBe('unknown');
    await player.move({ minutes: 11 });
    expect(await stateOf(attempt)).toBe('done');
    expect((await player.get(id)).request_result).toEqual([]);
    expect((await player.pay(id, { channel: 'qr' })).body.state).toBe('paid');
  });

  test('settles an attempt once with concurrent sweeps', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => player.create()));
    for (const id of ids) await diedWhilePaying(id, { charged: 'approved' });
    const { clocks, sweeper } = service.service.parts;
    await clocks.moveTo(clocks.business.now().add({ minutes: 3 }));
    await Promise.all([sweeper.tick(), sweeper.tick(), sweeper.tick()]);
    for (const id of ids) {
      const { state, request_result } = await player.get(id);
      expect([state, request_result.length]).toEqual(['paid', 1]);
    }
  });
});

test('refuses to charge an amount other than the one due, or a request paid in the meantime', async () => {
  const { base, requests } = service.service.parts;
  const attempts = createAttemptVerbs(base, {
    connected: simulatedChannels(base, service.origin),
    loadCardKinds,
    unwanted: keepsAll,
    record: async () => ({ outcome: 'known' }),
    limits,
    velocity,
  });
  const id = await player.create();
  const found = await requests.find({ accountId: testAccount, id });
  if (!found) throw new Error('the request is not there');
  const stale = { ...found.row, total1: centavos(100) } as unknown as RequestRow;
  const instrument = { type: 'wallet' } as const;
  const paying = attempts.pay({ request: stale, channel: 'qr', instrument, actor: payer });
  await expect(paying).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('amount'),
  });
  const rows = await service.sql`select 1 from attempts where request_id = ${id}`;
  expect(rows).toEqual([]);
  // Another tab paid it in the meantime: the error is the same as for an earlier payment.
  expect((await player.pay(id, {})).status).toBe(200);
  const late = attempts.pay({ request: found.row, channel: 'qr', instrument, actor: payer });
  await expect(late).rejects.toMatchObject({
    errorCode: 'request.not_payable',
    message: 'The request is paid, so it cannot be paid.',
  });
});
