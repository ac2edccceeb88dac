import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { readAlarms } from '../../src/connectors/index.ts';
import { listSuspense } from '../../src/money/suspense/index.ts';
import { transferCvu } from '../../src/payment-requests/index.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, type Played, playConnector } from './played.ts';

let bank: Played;
let service: TestService;
let player: Player;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN', 'wire_transfer']);
  service = await startService({
    ...withoutWorker,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
});
afterAll(async () => {
  await service.stop();
  await bank.stop();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const noticesPath = '/connectors/bank/notices';
const called = { method: 'POST', path: noticesPath };
const bodyOf = (notice: object): string => bodyFor('POST', noticesPath, notice);

interface Sending {
  id?: string;
  seconds?: number;
  headers?: Record<string, string>;
}

async function send(notice: string | object, { headers, ...signing }: Sending = {}) {
  const body = typeof notice === 'string' ? notice : bodyOf(notice);
  return await service.call('POST', noticesPath, {
    body,
    key: null,
    headers: headers ?? { ...bank.signed(signedText({ ...called, body }), signing) },
  });
}

const attemptOf = (requestId: number): string => {
  const call = bank.calls.find(({ body }) => body?.request?.id === String(requestId));
  return String(call?.attempt);
};

/** Creates a request with a charge that the bank has not decided. */
async function waiting(): Promise<{ id: number; attempt: string }> {
  const { charge } = bank.plays;
  bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  bank.plays.charge = charge;
  return { id, attempt: attemptOf(id) };
}

async function paid(): Promise<{ id: number; attempt: string }> {
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  return { id, attempt: attemptOf(id) };
}

const alarmTexts = async (): Promise<string[]> => [
  ...(await readAlarms(service.sql)).map(({ message }) => message),
  ...(await watchAlarms(() => service.sql).money()).map(({ message }) => message),
];

const changed = (attempt: string) => ({ type: 'charge.changed', attempt });

describe('senders', () => {
  const notice = changed(`${testAccount}-1`);
  const body = bodyOf(notice);

  test.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    [
      'with a signature of another secret',
      () => ({
        ...bank.signed(body),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      }),
    ],
    ['with a signature of another body', () => ({ ...bank.signed(`${body} `) })],
    [
      'six minutes old',
      () => ({
        ...bank.signed(body, { seconds: Math.floor(Date.now() / 1000) - 360 }),
      }),
    ],
  ])('answers 401 to a notice %s', async (_how, headers) => {
    expect((await send(notice, { headers: headers() })).status).toBe(401);
  });

  test('refuses a repeated call with 401', async () => {
    const { attempt } = await paid();
    const text = bodyOf(changed(attempt));
    const headers = { ...bank.signed(text) };
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    expect((await send(text, { headers })).status).toBe(200);
    expect((await send(text, { headers })).status).toBe(401);
  });

  test('accepts a call that reaches two processes once, and refuses the other with 401', async () => {
    const { attempt } = await paid();
    const beside = await startService({
      ...withoutWorker,
      DATABASE_URL: service.databaseUrl,
      CONNECTORS: JSON.stringify([bank.configured()]),
    });
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    const body = bodyOf(changed(attempt));
    const headers = { ...bank.signed(body) };
    const answers = await Promise.all(
      [service, beside].map((one) => one.call('POST', noticesPath, { body, key: null, headers })),
    );
    await beside.stop();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test.each([
    ['a call to the connector', 'PUT', `/charges/${testAccount}-1`],
    ['a notice of another connector', 'POST', '/connectors/other/notices'],
  ])('answers 401 to a body signed for %s or for no address', async (_what, method, path) => {
    expect((await send(bodyFor(method, path, notice))).status).toBe(401);
    expect((await send(JSON.stringify(notice))).status).toBe(401);
  });

  test('deletes the ids of calls that have expired', async () => {
    await service.sql`insert into connector_calls values ('bank', 'msg_long_ago', 1)`;
    await send(notice);
    const kept = await service.sql`select id from connector_calls where until < 2`;
    expect(kept).toEqual([]);
  });

  test('answers 404 for an unconfigured connector', async () => {
    const { status } = await service.call('POST', '/connectors/other/notices', {
      body,
      key: null,
      headers: { ...bank.signed(body) },
    });
    expect(status).toBe(404);
  });

  test.each([
    ['an unknown type', bodyOf({ type: 'charge.settled' }), 200],
    ['text that is not JSON', '<html>', 400],
    ['an empty body', '', 400],
    ['a body of 65 KiB', bodyOf({ ...notice, more: 'x'.repeat(65 * 1024) }), 413],
    ['a charge of another deployment', bodyOf(changed('X-1')), 404],
    ['a charge that nobody made', body, 404],
  ])('answers $0 with status $2', async (_what, text, status) => {
    expect((await send(text)).status).toBe(status);
  });

  test('rejects bodies beyond 64 KiB before checking signatures', async () => {
    const large = JSON.stringify({ ...notice, more: 'x'.repeat(1024 * 1024) });
    expect((await send(large, { headers: {} })).status).toBe(413);
  });
});

describe('a charge that changed', () => {
  test('inquires about a changed charge, and records the answer once for two notices', async () => {
    const { id, attempt } = await waiting();
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    const told = await Promise.all([send(changed(attempt)), send(changed(attempt))]);
    expect(told.map(({ status }) => status)).toEqual([200, 200]);
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['paid', 1]);
  });

  test('answers 503 if its inquiry fails, and inquires again on the next notice', async () => {
    const { id, attempt } = await waiting();
    bank.plays.inquiry = () => ({ status: 500, json: { message: 'no' } });
    expect((await send(changed(attempt))).status).toBe(503);
    expect((await player.get(id)).state).toBe('pending');
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    expect((await send(changed(attempt))).status).toBe(200);
    expect((await player.get(id)).state).toBe('paid');
  });

  test('books an approval after a refusal once, as one more payment, with an alarm', async () => {
    const { charge } = bank.plays;
    bank.plays.charge = () => ({
      json: { outcome: 'rejected', code: '51', text: 'No.', retry: 'same_later' },
    });
    const id = await player.create();
    await player.pay(id, { channel: 'DEBIN' });
    bank.plays.charge = charge;
    const attempt = attemptOf(id);
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    for (let times = 0; times < 2; times += 1) {
      expect((await send(changed(attempt))).status).toBe(200);
    }
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['paid', 2]);
    await expect.poll(watchAlarms(() => service.sql).kinds).toContain('late_approval');
  });

  test('reverses an approval annulled by the acquirer, once', async () => {
    const { id, attempt } = await paid();
    bank.plays.inquiry = () => ({ json: { outcome: 'canceled' } });
    await Promise.all([send(changed(attempt)), send(changed(attempt))]);
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['refunded', 2]);
    expect((await player.events(id)).at(-1)).toMatchObject({ actor: 'connector:bank' });
  });
});

describe('a chargeback', () => {
  const back = (attempt: string, id: string) => ({
    type: 'charge.charged_back',
    id,
    attempt,
    amount: 143050,
    reference: `ref-${attempt}`,
  });

  test('books a chargeback once, however often it arrives', async () => {
    const { id, attempt } = await paid();
    const told = [1, 2, 3].map(() => send(back(attempt, 'cb-1')));
    expect((await Promise.all(told)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['reverted', 2]);
  });

  test('reverses a part, and only the remainder for a larger second chargeback, with an alert', async () => {
    const { id, attempt } = await paid();
    const part = { ...back(attempt, 'cb-part-1'), amount: 43_050 };
    const told = await Promise.all([send(part), send(part)]);
    expect(told.map(({ status }) => status)).toEqual([200, 200]);
    const after = await player.get(id);
    expect(after.state).toBe('paid');
    expect(after.request_result).toMatchObject([{ amount: 1430.5 }, { amount: 430.5 }]);
    const rest = { ...back(attempt, 'cb-part-2'), amount: 120_000 };
    expect([(await send(rest)).status, (await send(rest)).status]).toEqual([200, 200]);
    const { state, request_result } = await player.get(id);
    expect(request_result.at(-1).amount).toBe(1000);
    expect([state, request_result.length]).toEqual(['refunded', 3]);
    expect(await alarmTexts()).toContainEqual(
      expect.stringMatching(/^1200\.00 of charge .* was charged back\. 1000\.00 is booked/),
    );
  });

  test('reverses what is left for a full chargeback after a partial one', async () => {
    const { id, attempt } = await paid();
    expect((await send({ ...back(attempt, 'cb-first'), amount: 43_050 })).status).toBe(200);
    const whole = back(attempt, 'cb-whole');
    expect([(await send(whole)).status, (await send(whole)).status]).toEqual([200, 200]);
    const { state, request_result } = await player.get(id);
    expect(request_result.map(({ amount }: { amount: number }) => amount)).toEqual([
      1430.5, 430.5, 1000,
    ]);
    expect(state).toBe('refunded');
  });

  test('books a charge’s approval and its chargeback if the chargeback arrives first', async () => {
    const { id, attempt } = await waiting();
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    expect((await send(back(attempt, 'cb-2'))).status).toBe(200);
    expect((await player.get(id)).state).toBe('reverted');
  });

  test('refuses a chargeback until its charge is paid', async () => {
    const { attempt } = await waiting();
    bank.plays.inquiry = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });
    expect((await send(back(attempt, 'cb-3'))).status).toBe(409);
  });

  test('does not reverse a refunded payment', async () => {
    const { id, attempt } = await paid();
    await player.refund(id);
    expect((await send(back(attempt, 'cb-4'))).status).toBe(200);
    expect(await player.faults()).toEqual([]);
  });
});

describe('a transfer', () => {
  const received = (id: string, requestId: number, amount = 143050) => ({
    type: 'transfer.received',
    id,
    cvu: transferCvu(service.config.CVU_PSP ?? '', requestId),
    amount,
    paid_at: '2026-01-05T12:00:00Z',
  });

  test('books a transfer once, on the request that owns the account', async () => {
    const id = await player.create();
    const told = [1, 2, 3].map(() => send(received('t-1', id)));
    expect((await Promise.all(told)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['paid', 1]);
  });

  test('reverses a transfer once, and refuses a reversal that precedes it', async () => {
    const id = await player.create();
    const reversed = { type: 'transfer.reversed', id: 't-2', amount: 143050 };
    expect((await send(reversed)).status).toBe(409);
    await send(received('t-2', id));
    await Promise.all([send(reversed), send(reversed)]);
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['reverted', 2]);
  });

  test('keeps a transfer that precedes its request in suspense, once', async () => {
    const next = (await player.create()) + 1;
    await send(received('t-early', next));
    expect(await player.create()).toBe(next);
    expect((await send(received('t-early', next))).status).toBe(200);
    const { state, request_result } = await player.get(next);
    expect([state, request_result]).toEqual(['pending', []]);
    const rows = await service.sql`
      select state, code from suspense where source_ref = 'transfer t-early'`;
    expect(rows).toEqual([{ state: 'open', code: received('', next).cvu }]);
  });

  test('puts a transfer to an unknown account into suspense, and closes it when the bank reverses it', async () => {
    await send({ ...received('t-3', 1), cvu: '0000003100010000000001' });
    const [row] = await service.sql`
      select state, source, source_ref from suspense where source_ref = 'transfer t-3'`;
    expect(row).toMatchObject({ state: 'open', source: 'connector:bank' });
    const reversed = { type: 'transfer.reversed', id: 't-3', amount: 143050 };
    const told = await Promise.all([send(reversed), send(reversed)]);
    expect(told.map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(reversed)).status).toBe(200);
    const { base, assignSuspense } = service.service.parts;
    const all = await listSuspense(base.sql, { all: true, after: 0, limit: 100 });
    const money = all.find(({ source_ref: ref }) => ref === 'transfer t-3');
    expect(money).toMatchObject({ state: 'reversed', note: 'Reversed by the bank.' });
    const journals = await service.sql`
      select kind, amounts from journals where cause = ${`suspense:${money?.id}`} order by id`;
    expect(journals).toEqual([
      { kind: 'suspense', amounts: [143050, -143050] },
      { kind: 'suspense_reversed', amounts: [143050, -143050] },
    ]);
    const to = { accountId: testAccount, id: await player.create() };
    const assigned = assignSuspense({ id: money?.id ?? 0, to, note: 'n', actor: testOperator });
    await expect(assigned).rejects.toThrow('reversed by its bank or network');
    expect(await auditAccount(service.sql, operatorBooks)).toEqual([]);
    await expect.poll(watchAlarms(() => service.sql).kinds).toContain('reversed_in_suspense');
  });

  test('raises an alarm if the bank reverses money that the operator already returned', async () => {
    await send({ ...received('t-4', 1), cvu: '0000003100010000000001' });
    const [row] = await service.sql<{ id: number }[]>`
      select id from suspense where source_ref = 'transfer t-4'`;
    const id = row?.id ?? 0;
    await service.service.parts.returnSuspense({ id, note: 'transferred', actor: testOperator });
    const reversed = { type: 'transfer.reversed', id: 't-4', amount: 143050 };
    expect([(await send(reversed)).status, (await send(reversed)).status]).toEqual([200, 200]);
    const alarms = await watchAlarms(() => service.sql).money();
    expect(alarms.filter(({ kind }) => kind === 'reversed_after_return')).toMatchObject([
      { suspense_id: id, amount: 143050, message: expect.stringMatching(/returned .* reversed/) },
    ]);
    expect(await auditAccount(service.sql, operatorBooks)).toEqual([]);
  });
});

test('records payments of a suspended account', async () => {
  const { id, attempt } = await waiting();
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
  expect((await send(changed(attempt))).status).toBe(200);
  await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  expect((await player.get(id)).state).toBe('paid');
});

describe('acceptable facts of a connector', () => {
  const cvu = '0000322800000000000001';
  const transfer = (id: string, paidAt: string) => ({
    type: 'transfer.received',
    id,
    cvu,
    amount: 100,
    paid_at: paidAt,
  });
  const paidAtOf = async (id: string): Promise<string> => {
    const [row] = await service.sql<{ paid_at: Temporal.Instant }[]>`
      select paid_at from suspense where source_ref = ${`transfer ${id}`}`;
    return row?.paid_at.toString() ?? 'nothing';
  };

  test('refuses money of an unconfigured channel, with an alarm', async () => {
    const code = { type: 'qr.confirmed', trx: 'TRX1', code: 'X', amount: 100 };
    const { status } = await send({ ...code, paid_at: new Date().toISOString() });
    expect(status).toBe(403);
    await expect.poll(() => alarmTexts()).toContainEqual(expect.stringContaining('qr.confirmed'));
  });

  test('refuses a transfer to another connector’s account, with an alarm', async () => {
    const id = await player.create();
    await service.sql`
      insert into transfer_accounts (account_id, request_id, connector, cvu, opened_at)
      values (${testAccount}, ${id}, 'other', ${cvu}, now())`;
    const { status } = await send(transfer('foreign', new Date().toISOString()));
    await service.sql`delete from transfer_accounts where cvu = ${cvu}`;
    expect(status).toBe(403);
    expect(await paidAtOf('foreign')).toBe('nothing');
    await expect
      .poll(() => alarmTexts())
      .toContainEqual(expect.stringContaining('that other opened'));
  });

  test('records an old transfer as of now, with an alarm', async () => {
    const now = Temporal.Now.instant();
    const recent = now
      .subtract({ hours: 24 * 29 })
      .round('second')
      .toString();
    expect((await send(transfer('recent', recent))).status).toBe(200);
    expect(await paidAtOf('recent')).toBe(recent);
    expect((await send(transfer('old', '2001-01-01T00:00:00Z'))).status).toBe(200);
    expect(Temporal.Instant.compare(await paidAtOf('old'), now)).toBeGreaterThan(-1);
    await expect.poll(() => alarmTexts()).toContainEqual(expect.stringContaining('2001-01-01'));
  });

  test('records an approval dated before its order as of the order, with an alarm', async () => {
    const { id, attempt } = await waiting();
    const early = { decided_at: '2001-01-01T00:00:00Z' };
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050, early);
    expect((await send(changed(attempt))).status).toBe(200);
    const { paid_at } = (await player.get(id)).request_result[0];
    expect(Date.now() - Date.parse(paid_at)).toBeLessThan(600_000);
    await expect
      .poll(() => alarmTexts())
      .toContainEqual(expect.stringContaining('before its order'));
  });

  test('masks a card number in an answer before storing it, with an alarm', async () => {
    const number = ['4507', '9900', '0000', '4905'].join('');
    const { id, attempt } = await waiting();
    bank.plays.inquiry = () => ({
      json: {
        outcome: 'rejected',
        code: '5',
        text: `Card ${number} was declined.`,
        retry: 'never',
      },
    });
    expect((await send(changed(attempt))).status).toBe(200);
    const [result] = (await player.get(id)).request_result;
    expect(result.state_comment).toBe('Card ************4905 was declined.');
    await expect.poll(() => alarmTexts()).toContainEqual(expect.stringContaining('card number'));
  });

  test('accepts a failed notice again under its id, but only with a new signature', async () => {
    const { attempt } = await waiting();
    const seconds = Math.floor(Date.now() / 1000);
    bank.plays.inquiry = () => ({ status: 500, json: { message: 'no' } });
    const first = { id: 'msg_retried', seconds: seconds - 1 };
    expect((await send(changed(attempt), first)).status).toBe(503);
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    expect((await send(changed(attempt), first)).status).toBe(401);
    expect((await send(changed(attempt), { id: 'msg_retried', seconds })).status).toBe(200);
  });
});
