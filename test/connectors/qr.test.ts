import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { crc16 } from '../../src/kernel/emv.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { callerOf, full, itemOf, renamed } from '../harness/builders/qrs.ts';
import { type Walls, wallsOf } from '../harness/builders/static-qrs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { untilWaiting } from '../harness/waiting.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Network, networkOf } from './network.ts';
import { type Played, playConnector } from './played.ts';

let wallets: Played;
let service: TestService;
let player: Player;
let walls: Walls;
let qr: ReturnType<typeof callerOf>;
let network: Network;
beforeAll(async () => {
  wallets = await playConnector('wallets', ['qr']);
  service = await startService({
    ROLES: 'payments,qr',
    CONNECTORS: JSON.stringify([wallets.configured()]),
  });
  player = playerOf(service);
  walls = wallsOf(service);
  qr = callerOf(service);
  network = networkOf(service, wallets);
});
afterAll(async () => {
  await service?.stop();
  await wallets?.stop();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

let made = 0;
/** Creates an unpaid dynamic code, by default of 1430.50 pesos. */
async function codeOf(fields: Record<string, unknown> = {}): Promise<{ id: string; code: string }> {
  made += 1;
  const id = `code-${made}`;
  expect((await qr.save([itemOf(service, id, fields)])).status).toBe(201);
  return { id, code: (await qr.status(id)).body.qr_string };
}
const statusOf = async (id: string): Promise<string> => (await qr.status(id)).body.status;
/** Returns a code's recorded payments and refunds. */
async function moneyOf(id: string): Promise<[type: string, amount: number][]> {
  const rows = await service.sql<{ type: string; amount: number }[]>`
    select x.type, x.amount from results x join requests r
      on r.account_id = x.account_id and r.id = x.request_id
    where r.account_id = ${testAccount} and r.code = ${full(id)} order by x.id`;
  return rows.map(({ type, amount }) => [type, amount]);
}
const { kinds: alarms } = watchAlarms(() => service.sql);
const due = 143_050;
const other = (code: string): string => code.replace(/.$/, (end) => (end === '0' ? '1' : '0'));

describe('an intention', () => {
  test('accepts an intention for the amount due, creates a charge and books nothing', async () => {
    const { id, code } = await codeOf();
    const { trx, answer } = await network.intend(code, due);
    expect(answer).toEqual({ status: 'pass', attempt: expect.stringContaining(testAccount) });
    expect([await statusOf(id), await moneyOf(id)]).toEqual(['Pending', []]);
    expect((await network.intend(code, due, { trx })).answer).toEqual(answer);
  });

  test('creates one charge for concurrent repetitions of an intention', async () => {
    const { code } = await codeOf();
    const trx = network.trx();
    const told = Array.from({ length: 6 }, () => network.intend(code, due, { trx }));
    const answers = (await Promise.all(told)).map(({ answer }) => JSON.stringify(answer));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('pass');
  });

  test('accepts exactly one of several wallets for one code', async () => {
    const { code } = await codeOf();
    const told = [1, 2, 3, 4].map(() => network.intend(code, due));
    const passed = (await Promise.all(told)).filter(({ answer }) => answer.status === 'pass');
    expect(passed).toHaveLength(1);
  });

  test('locks the code against deletion until the intention ends', async () => {
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    expect((await qr.remove(id)).status).toBe(409);
    await network.reverse(trx);
    expect((await qr.remove(id)).status).toBe(200);
  });

  test('abandons an unconfirmed intention when the network knows of no payment', async () => {
    const { id, code } = await codeOf();
    await network.intend(code, due);
    expect((await network.intend(code, due)).answer.status).toBe('fail');
    await player.move({ minutes: 16 });
    expect((await network.intend(code, due)).answer.status).toBe('pass');
    expect(await moneyOf(id)).toEqual([]);
  });

  test('refuses an unreadable, foreign or deleted code and a wrong amount, with the reason', async () => {
    const { id, code } = await codeOf();
    const wall = await walls.create();
    const open = await walls.create({ qr_type: 'static_open_amount' });
    const foreign = code.replace(service.config.QR_ACCEPTOR ?? '', 'com.other-acceptor-x');
    const refusals: [code: string, amount: number, why: string][] = [
      ['no code at all', due, 'unsupported_qr_code'],
      [other(code), due, 'unsupported_qr_code'],
      [foreign, due, 'unsupported_qr_code'],
      [code, due + 1, 'error'],
      [code, due - 1, 'error'],
      [wall.qr_string, due, 'empty_order'],
      [open.qr_string, 9_999_999_999 + 1, 'error'],
    ];
    for (const [text, amount, why] of refusals) {
      expect((await network.intend(text, amount)).answer, text).toMatchObject({
        status: 'fail',
        code: why,
        reason: expect.any(String),
      });
    }
    await qr.remove(id);
    expect((await network.intend(code, due)).answer).toMatchObject({
      code: 'error',
      reason: 'The QR is Deleted.',
    });
  });

  test('refuses a repetition with another amount or code, and keeps the first intention', async () => {
    const { code } = await codeOf();
    const second = await codeOf({ first_total: 20 });
    const { trx } = await network.intend(code, due);
    expect((await network.intend(second.code, 2_000, { trx })).answer.status).toBe('fail');
    expect((await network.intend(code, due, { trx })).answer.status).toBe('pass');
  });

  test('refuses an intention while another transaction locks the code, and accepts one afterwards', async () => {
    const { id, code } = await codeOf();
    const trx = network.trx();
    const answered = Promise.withResolvers<void>();
    const held = service.sql.begin(async (tx) => {
      await tx`select 1 from requests where code = ${full(id)} for update`;
      const { answer } = await network.intend(code, due, { trx });
      expect(answer).toMatchObject({ status: 'fail', code: 'error' });
      answered.resolve();
    });
    await Promise.all([held, answered.promise]);
    await expect.poll(async () => (await network.intend(code, due)).answer.status).toBe('pass');
  });
});

describe('a confirmation', () => {
  test('books a confirmed payment once, however often it arrives', async () => {
    const { id, code } = await codeOf();
    const { trx, answer } = await network.intend(code, due);
    const told = Array.from({ length: 6 }, () => network.confirm(trx, code, due));
    expect((await Promise.all(told)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect([await statusOf(id), await moneyOf(id)]).toEqual(['Paid', [['collected', due]]]);
    const [row] = await service.sql<{ details: Record<string, unknown>; actor: string }[]>`
      select x.details, e.actor from results x join events e
        on e.account_id = x.account_id and e.entity_id = ${full(id)} and e.type = 'qr.paid'
      where x.source = 'attempt' and x.source_ref = ${String(answer.attempt).slice(9)}`;
    expect(row).toMatchObject({
      actor: 'connector:wallets',
      details: { connector: 'wallets', payment_metadata: { reference: trx } },
    });
  });

  test('books an unannounced payment once', async () => {
    const { id, code } = await codeOf();
    const trx = network.trx();
    await Promise.all([1, 2, 3].map(() => network.confirm(trx, code, due)));
    expect([await statusOf(id), await moneyOf(id)]).toEqual(['Paid', [['collected', due]]]);
    expect((await network.intend(code, due, { trx })).answer.status).toBe('fail');
  });

  test('books a payment whose timestamp has more digits than the database stores', async () => {
    const { id, code } = await codeOf();
    const paid = service.service.parts.clocks.business.now().subtract({ seconds: 1 });
    const text = paid.toString({ smallestUnit: 'millisecond' }).replace('Z', '9999Z');
    expect((await network.confirm(network.trx(), code, due, text)).status).toBe(200);
    expect(await moneyOf(id)).toEqual([['collected', due]]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => qr.remove(id)],
    ['expired', () => player.move({ days: 11 })],
  ])('refuses intentions for a code that was %s, but books payments', async (_state, end) => {
    const { id, code } = await codeOf();
    await end(id);
    expect((await network.intend(code, due)).answer.status).toBe('fail');
    await network.confirm(network.trx(), code, due);
    expect([await statusOf(id), await moneyOf(id)]).toEqual(['Paid', [['collected', due]]]);
  });

  test('books one more payment on a paid code', async () => {
    const { id, code } = await codeOf();
    for (const trx of [network.trx(), network.trx()]) await network.confirm(trx, code, due);
    expect(await moneyOf(id)).toEqual([
      ['collected', due],
      ['collected', due],
    ]);
  });

  test('books a differing amount as received, and raises an alarm', async () => {
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    await network.confirm(trx, code, 1_000);
    expect(await moneyOf(id)).toEqual([['collected', 1_000]]);
    await expect.poll(alarms).toContain('amount');
  });

  test('books a payment after its intention was abandoned', async () => {
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    await player.move({ minutes: 16 });
    await network.confirm(trx, code, due);
    expect([await statusOf(id), await moneyOf(id)]).toEqual(['Paid', [['collected', due]]]);
  });

  test('books a payment to a suspended account, but refuses an intention', async () => {
    const { id, code } = await codeOf();
    await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
    try {
      expect((await network.intend(code, due)).answer).toMatchObject({ code: 'error' });
      await network.confirm(network.trx(), code, due);
    } finally {
      await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
    }
    expect(await statusOf(id)).toBe('Paid');
  });

  test('keeps an unknown code’s payment in suspense, once, even if the code is created later', async () => {
    const { code } = await codeOf();
    const unknown = renamed(code, full(`code-${made}`), full('never-made-7'));
    const trx = network.trx();
    await Promise.all([1, 2].map(() => network.confirm(trx, unknown, due)));
    await qr.save([itemOf(service, 'never-made-7')]);
    await network.confirm(trx, unknown, due);
    expect(await moneyOf('never-made-7')).toEqual([]);
    const rows = await service.sql`
      select state, amount from suspense
      where source = 'connector:wallets' and source_ref = ${`qr ${trx}`}`;
    expect(rows).toEqual([{ state: 'open', amount: due }]);
    await network.reverse(trx);
    await expect.poll(alarms).toContain('reversed_in_suspense');
    const [money] = await service.sql`
      select state from suspense where source_ref = ${`qr ${trx}`}`;
    expect(money?.state).toBe('reversed');
  });

  test('treats a code with another account’s id or CUIT as unknown', async () => {
    const { id, code } = await codeOf();
    const ofAnother = (text: string) => text.replace('30999999995', '30708295148').slice(0, -4);
    const { id: foreign } = await anotherAccount(service);
    const forged = [
      [renamed(code, full(id), `${foreign}-${id}`), 'unsupported_qr_code'],
      [ofAnother(code) + crc16(ofAnother(code)), 'unsupported_merchant'],
    ] as const;
    for (const [text, why] of forged) {
      const { trx, answer } = await network.intend(text, due);
      expect(answer).toMatchObject({ status: 'fail', code: why });
      await network.confirm(trx, text, due);
      const rows = await service.sql`select 1 from suspense where source_ref = ${`qr ${trx}`}`;
      expect([rows.length, await moneyOf(id)]).toEqual([1, []]);
    }
  });
});

describe('a reversal', () => {
  test('books a reversal once, however often it arrives', async () => {
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    await network.confirm(trx, code, due);
    await Promise.all([network.reverse(trx), network.reverse(trx), network.reverse(trx)]);
    expect([await statusOf(id), await moneyOf(id)]).toEqual([
      'Refunded',
      [
        ['collected', due],
        ['chargeback', due],
      ],
    ]);
    await network.confirm(trx, code, due);
    expect(await moneyOf(id)).toHaveLength(2);
  });

  test.each([true, false])(
    'books nothing for a reversal before its confirmation, and frees the code (after an intention: %s)',
    async (announced) => {
      const { id, code } = await codeOf();
      const trx = network.trx();
      if (announced) await network.intend(code, due, { trx });
      await network.reverse(trx);
      await network.confirm(trx, code, due);
      expect([await statusOf(id), await moneyOf(id)]).toEqual(['Pending', []]);
      expect((await network.intend(code, due, { trx })).answer.status).toBe('fail');
      expect((await network.intend(code, due)).answer.status).toBe('pass');
    },
  );

  test('books a chargeback and no refund if a reversal closes a charge during its confirmation', async () => {
    const returns = (returnsLateApprovals: boolean) =>
      setAccount({ ...service.service.parts.base, actor: testOperator })({
        accountId: testAccount,
        returnsLateApprovals,
      });
    await returns(true);
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    const confirming = await service.sql.begin(async (tx) => {
      // Delays recording the confirmation, which has found no reversal.
      await tx`lock table charge_references in exclusive mode`;
      const confirmed = network.confirm(trx, code, due);
      await untilWaiting(service.sql);
      expect((await network.reverse(trx)).status).toBe(200);
      return { confirmed };
    });
    expect((await confirming.confirmed).status).toBe(200);
    expect(await moneyOf(id)).toEqual([
      ['collected', due],
      ['chargeback', due],
    ]);
    expect(wallets.calls.filter(({ path }) => path.includes('/refunds/'))).toEqual([]);
    await returns(false);
  });

  test('leaves no money booked if a reversal races with its confirmation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, code } = await codeOf();
      const { trx } = await network.intend(code, due);
      await Promise.all([network.confirm(trx, code, due), network.reverse(trx)]);
      const left = (await moneyOf(id)).reduce(
        (sum, [type, amount]) => sum + (type === 'collected' ? amount : -amount),
        0,
      );
      expect(left).toBe(0);
    }
  });

  test('does not reverse a payment that we refunded', async () => {
    const { id, code } = await codeOf();
    const { trx } = await network.intend(code, due);
    await network.confirm(trx, code, due);
    const { body } = await qr.status(id);
    await qr.refund(body.request_id);
    expect((await network.reverse(trx)).status).toBe(200);
    expect(await player.faults()).toEqual([]);
  });
});

describe('static codes', () => {
  test('charges a closed-amount static code’s current amount', async () => {
    const wall = await walls.create();
    const asked = await walls.asked(wall.qr_string);
    const { trx, answer } = await network.intend(wall.qr_string, 15_050);
    expect(answer.status).toBe('pass');
    expect((await network.intend(wall.qr_string, 15_051)).answer.status).toBe('fail');
    await network.confirm(trx, wall.qr_string, 15_050);
    expect((await walls.status(asked)).status).toBe('Paid');
  });

  test('accepts a static code’s payment after its transaction ended', async () => {
    const wall = await walls.create();
    const asked = await walls.asked(wall.qr_string);
    const { trx } = await network.intend(wall.qr_string, 15_050);
    await player.move({ minutes: 3 });
    await network.confirm(trx, wall.qr_string, 15_050);
    expect((await walls.status(asked)).status).toBe('Paid');
  });

  test('assigns unannounced money to the latest transaction', async () => {
    const wall = await walls.create();
    const asked = await walls.asked(wall.qr_string);
    await player.move({ minutes: 3 });
    await network.confirm(network.trx(), wall.qr_string, 15_050);
    expect((await walls.status(asked)).status).toBe('Paid');
  });

  test('accepts any amount on an open static code, and counts a repeated notice once', async () => {
    const wall = await walls.create({ qr_type: 'static_open_amount' });
    const first = await network.intend(wall.qr_string, 5_000);
    const second = await network.intend(wall.qr_string, 7_000);
    await network.confirm(first.trx, wall.qr_string, 5_000);
    await Promise.all([1, 2, 3].map(() => network.confirm(second.trx, wall.qr_string, 7_000)));
    await network.confirm(network.trx(), wall.qr_string, 9_000);
    const rows = await service.sql<{ amount: number }[]>`
      select x.amount from results x join static_transactions t
        on t.account_id = x.account_id and t.id = x.request_id
      where t.static_id = ${wall.id} order by x.amount`;
    expect(rows.map(({ amount }) => amount)).toEqual([5_000, 7_000, 9_000]);
  });

  test('refuses a second wallet on a single-use code, but keeps its money if it pays', async () => {
    const once = { qr_type: 'static_open_amount', multiple_payment: 'false' };
    const wall = await walls.create(once);
    const { trx } = await network.intend(wall.qr_string, 5_000);
    expect((await network.intend(wall.qr_string, 6_000)).answer.status).toBe('fail');
    await network.confirm(trx, wall.qr_string, 5_000);
    await network.confirm(network.trx(), wall.qr_string, 6_000);
    const rows = await service.sql`
      select x.amount from results x join static_transactions t
        on t.account_id = x.account_id and t.id = x.request_id
      where t.static_id = ${wall.id} order by x.amount`;
    expect(rows).toEqual([{ amount: 5_000 }, { amount: 6_000 }]);
  });
});

test('pays a payment request by its code, and refunds it through the network', async () => {
  const id = await player.create();
  const code = await network.codeOfRequest(id);
  const { trx, answer } = await network.intend(code, due);
  await network.confirm(trx, code, due);
  expect((await player.get(id)).state).toBe('paid');
  const refund = await service.call('POST', `/payment-request/${id}/refund`, {
    body: { refund: {} },
  });
  expect([refund.status, refund.body.state]).toEqual([201, 'done']);
  const call = wallets.calls.findLast(({ path }) => path.includes('/refunds/'));
  expect(call).toMatchObject({ attempt: answer.attempt, body: { reference: trx, charged: due } });
});

test('refuses notices about codes from a connector without the QR channel', async () => {
  const bank = await playConnector('bank', ['DEBIN']);
  const alone = await startService({
    ROLES: 'payments,qr',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  try {
    const caller = callerOf(alone);
    await caller.save([itemOf(alone, 'one')]);
    const { body } = await caller.status('one');
    const other = networkOf(alone, bank, 'bank');
    await expect(other.intend(body.qr_string, due)).rejects.toThrow('403');
    expect((await other.confirm('other-1', body.qr_string, due)).status).toBe(403);
    expect((await caller.status('one')).body.status).toBe(body.status);
  } finally {
    await alone.stop();
    await bank.stop();
  }
});
