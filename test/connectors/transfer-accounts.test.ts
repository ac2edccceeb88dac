import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import { bodyFor } from '../../connectors/protocol/signature.ts';
import { moveAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { forgetAlarms } from '../../src/connectors/index.ts';
import { transferCvu } from '../../src/payment-requests/index.ts';
import { create, open, read } from '../checkout/payer.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Call, type Played, playConnector } from './played.ts';

const withPages = { ROLES: 'payments,web' };
const opening = { channel: 'wire_transfer', opens_accounts: true, answers_within_s: 20 };

let bank: Played;
let service: TestService;
let player: Player;
let account: Played['plays']['account'];
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN', opening]);
  account = bank.plays.account;
  service = await startService({ ...withPages, CONNECTORS: JSON.stringify([bank.configured()]) });
  player = playerOf(service);
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});
beforeEach(async () => {
  bank.plays.account = account;
  await forgetAlarms(service.sql, 'bank');
  await service.service.parts.connectors.refresh();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const shows = async (path: string, origin = service.origin): Promise<string | null> => {
  const { status, html } = await open(origin, path);
  expect(status).toBe(200);
  return /data-copy="(000\d{19})"/.exec(html)?.[1] ?? null;
};
const orders = (id: number): Call[] =>
  bank.calls.filter(
    ({ path, body }) => path.startsWith('/accounts/') && body.request.id === `${id}`,
  );
const rowsOf = (id: number) => service.sql<{ cvu: string; connector: string }[]>`
  select cvu, connector from transfer_accounts where request_id = ${id}`;
const { kinds: alarms } = watchAlarms(() => service.sql);

async function tell(notice: object): Promise<number> {
  const path = '/connectors/bank/notices';
  const body = bodyFor('POST', path, notice);
  const headers = { ...bank.signed(body) };
  return (await service.call('POST', path, { body, key: null, headers })).status;
}

let transfers = 0;
async function transfer(cvu: string, amount = 143050) {
  transfers += 1;
  const id = `t-${transfers}`;
  const notice = { type: 'transfer.received', id, cvu, amount, paid_at: '2026-01-05T12:00:00Z' };
  expect(await tell(notice)).toBe(200);
  return { id, again: () => tell(notice) };
}

describe('the account of a request', () => {
  test('opens a request’s account on first view, once across all processes', async () => {
    const made = await create(service);
    expect(orders(made.id)).toEqual([]);
    const beside = await startService({
      ...withPages,
      DATABASE_URL: service.databaseUrl,
      CONNECTORS: JSON.stringify([bank.configured()]),
    });
    const origins = [service.origin, beside.origin];
    const seen = await Promise.all(
      Array.from({ length: 10 }, (_, no) => shows(made.path, origins[no % 2])),
    );
    await beside.stop();
    expect(new Set(seen)).toEqual(new Set([cvuFor(`${made.id}`)]));
    expect(await rowsOf(made.id)).toEqual([{ cvu: cvuFor(`${made.id}`), connector: 'bank' }]);
    const asked = orders(made.id).length;
    expect(asked).toBeLessThanOrEqual(2);
    expect(orders(made.id)[0]).toMatchObject({
      method: 'PUT',
      path: `/accounts/${testAccount}-${made.id}`,
      fault: null,
      body: {
        reference: `${testAccount}-${made.id}`,
        account: { id: testAccount, settings: {} },
        holder: { name: expect.any(String), cuit: expect.stringMatching(/^\d{11}$/) },
      },
    });
    const events = await service.sql`
      select type, actor, data from events
      where entity = 'transfer_account' and entity_id = ${cvuFor(`${made.id}`)}`;
    expect(events).toEqual([
      { type: 'transfer_account.opened', actor: 'connector:bank', data: { request_id: made.id } },
    ]);
    await shows(made.path);
    expect(orders(made.id)).toHaveLength(asked);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['breaks off', (response) => void response.destroy()],
    ['is an error', (response) => void response.writeHead(502).end('{}')],
    ['is not an outcome', (response) => void response.writeHead(200).end('<html>')],
  ])('repeats the same order if the answer %s', async (_how, answer) => {
    const made = await create(service);
    bank.plays.account = () => answer;
    expect(await shows(made.path)).toBeNull();
    bank.plays.account = account;
    await expect.poll(() => shows(made.path), { timeout: 30_000 }).toBe(cvuFor(`${made.id}`));
    const [first, last] = [orders(made.id)[0], orders(made.id).at(-1)];
    expect(last?.path).toBe(first?.path);
    expect(last?.body.request).toEqual(first?.body.request);
    expect(await alarms()).not.toEqual([]);
  });

  test('does not delay payers while an account opens, and shows it on a later read', async () => {
    const made = await create(service);
    const held = Promise.withResolvers<ServerResponse>();
    bank.plays.account = () => held.resolve;
    expect(await shows(made.path)).toBeNull();
    expect(await shows(made.path)).toBeNull();
    const response = await held.promise;
    response.end(JSON.stringify({ outcome: 'open', cvu: cvuFor(`${made.id}`) }));
    await expect.poll(() => shows(made.path), { timeout: 30_000 }).toBe(cvuFor(`${made.id}`));
    expect(orders(made.id)).toHaveLength(1);
  });

  test('hides an account that has wrong digits or belongs to another request', async () => {
    const [one, other] = [await create(service), await create(service)];
    const cvu = await shows(one.path);
    bank.plays.account = () => ({ json: { outcome: 'open', cvu } });
    expect(await shows(other.path)).toBeNull();
    expect(await rowsOf(other.id)).toEqual([]);
    await expect.poll(alarms).toContain('reference');
    const wrong = await create(service);
    bank.plays.account = () => ({ json: { outcome: 'open', cvu: '0000322800000000000001' } });
    expect(await shows(wrong.path)).toBeNull();
    await expect.poll(alarms).toContain('protocol');
  });

  test('hides the account while the channel is off, but still records money', async () => {
    const made = await create(service);
    const cvu = await shows(made.path);
    const other = await create(service);
    bank.plays.account = () => ({ json: { outcome: 'unheard', alarm: 'No CVUs for this user.' } });
    expect(await shows(other.path)).toBeNull();
    expect(await shows(made.path)).toBeNull();
    await transfer(String(cvu));
    expect((await read(service, made)).state).toBe('paid');
  });

  test('does not order an account for an excluded channel, a paid request or a suspended account', async () => {
    const excluded = await create(service, { excluded_channels: ['wire_transfer'] });
    const paid = await create(service);
    await player.pay(paid.id);
    const suspended = await create(service);
    const { base } = service.service.parts;
    const move = (what: 'suspend' | 'reopen') =>
      moveAccount(
        { ...base, actor: testOperator },
        { accountId: testAccount, move: what, reason: 'test' },
      );
    expect(await shows(excluded.path)).toBeNull();
    expect(await shows(paid.path)).toBeNull();
    await move('suspend');
    const { status } = await open(service.origin, suspended.path);
    expect(status).not.toBe(200);
    await move('reopen');
    for (const { id } of [excluded, paid, suspended]) expect(orders(id)).toEqual([]);
  });

  test('prints the account on the coupon, and does not cache a coupon without it', async () => {
    const made = await create(service);
    const coupon = async (headers = {}) =>
      await fetch(service.origin + new URL(made.pdfUrl).pathname, { headers });
    bank.plays.account = () => ({ status: 500, json: {} });
    const without = await coupon();
    expect(without.headers.get('cache-control')).toBe('no-store');
    const textOf = async (answer: Response) =>
      (await readPdf(Buffer.from(await answer.arrayBuffer()), 1))
        .map((page) => page.text.replaceAll(/\s/g, ''))
        .join('');
    expect(await textOf(without)).not.toContain(cvuFor(`${made.id}`));
    bank.plays.account = account;
    await expect
      .poll(async () => (await coupon()).headers.get('etag'), { timeout: 30_000 })
      .not.toBeNull();
    const whole = await coupon();
    expect(await textOf(whole)).toContain(cvuFor(`${made.id}`));
    const again = await coupon({ 'if-none-match': String(whole.headers.get('etag')) });
    expect(again.status).toBe(304);
  });
});

test('derives accounts from request numbers if the connector opens none', async () => {
  const plain = await playConnector('plain', ['wire_transfer']);
  const other = await startService({
    ...withPages,
    CONNECTORS: JSON.stringify([plain.configured()]),
  });
  try {
    const made = await create(other);
    const cvu = transferCvu(String(other.config.CVU_PSP), made.id);
    expect(await shows(made.path, other.origin)).toBe(cvu);
    expect(plain.calls).toEqual([]);
  } finally {
    await other.stop();
    await plain.stop();
  }
});

/**
 * Reads the table of docs/reference/connectors/codes-and-transfers.md, which lists the outcome of
 * each transfer.
 */
const text = readFileSync(
  new URL('../../docs/reference/connectors/codes-and-transfers.md', import.meta.url),
  'utf8',
);
const rows = text
  .slice(text.indexOf('## Transfers'))
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|')[1]?.trim() ?? '');

describe('a transfer to the account of a request', () => {
  const collected = async (id: number): Promise<number[]> =>
    (await player.get(id)).request_result
      .filter(({ type }: { type: string }) => type.startsWith('collected'))
      .map(({ amount }: { amount: number }) => amount);

  /** Creates a request whose account was shown. */
  async function shown() {
    const made = await create(service);
    return { ...made, cvu: String(await shows(made.path)) };
  }

  /** Checks that a transfer counts and is reversed once. Returns the number of chargebacks. */
  async function countsOnce(id: number, cvu: string, payments: number[]) {
    const told = await transfer(cvu);
    expect(await told.again()).toBe(200);
    expect([(await player.get(id)).state, await collected(id)]).toEqual(['paid', payments]);
    const reversed = { type: 'transfer.reversed', id: told.id, amount: 143050 };
    expect([await tell(reversed), await tell(reversed)]).toEqual([200, 200]);
    const { request_result: results } = await player.get(id);
    const back = results.filter(({ type }: { type: string }) => type.startsWith('chargeback'));
    expect(back.at(-1)).toMatchObject({ amount: 1430.5 });
    expect(await told.again()).toBe(200);
    expect(await collected(id)).toEqual(payments);
    return back.length;
  }

  const cases: Record<string, () => Promise<void>> = {
    pending: async () => {
      const { id, cvu } = await shown();
      expect(await countsOnce(id, cvu, [1430.5])).toBe(1);
      expect((await player.get(id)).state).toBe('reverted');
      for (const amount of [1, 99_999_99]) {
        const odd = await shown();
        await transfer(odd.cvu, amount);
        expect(await collected(odd.id)).toEqual([amount / 100]);
        expect((await player.get(odd.id)).state).toBe('paid');
      }
    },
    'paid, by whatever channel': async () => {
      const { id, cvu } = await shown();
      await player.pay(id);
      expect(await countsOnce(id, cvu, [1430.5, 1430.5])).toBe(1);
      expect((await player.get(id)).state).toBe('paid');
      const twice = await shown();
      await transfer(twice.cvu);
      await transfer(twice.cvu);
      expect(await collected(twice.id)).toEqual([1430.5, 1430.5]);
    },
    expired: async () => {
      const { id, cvu } = await shown();
      await player.move({ days: 30 });
      expect((await player.get(id)).state).toBe('expired');
      expect(await countsOnce(id, cvu, [1430.5])).toBe(1);
    },
    'refunded, or taken back': async () => {
      const refunded = await shown();
      await player.pay(refunded.id);
      await player.refund(refunded.id);
      expect((await player.get(refunded.id)).state).toBe('refunded');
      expect(await countsOnce(refunded.id, refunded.cvu, [1430.5, 1430.5])).toBe(1);
      const reverted = await shown();
      await player.pay(reverted.id);
      await player.chargeback(reverted.id);
      expect(await countsOnce(reverted.id, reverted.cvu, [1430.5, 1430.5])).toBe(2);
    },
    'of a suspended or closed account': async () => {
      const states = ['suspended', 'closed'] as const;
      for (const state of states) {
        const { id, cvu } = await shown();
        await service.sql`update accounts set state = ${state} where id = ${testAccount}`;
        await transfer(cvu);
        await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
        expect([state, await collected(id)]).toEqual([state, [1430.5]]);
      }
    },
    'not there: a CVU of nobody': async () => {
      const next = (await create(service)).id + 1;
      const early = await transfer(cvuFor(`${next}`));
      const made = await create(service);
      expect(await shows(made.path)).toBe(cvuFor(`${made.id}`));
      expect(made.id).toBe(next);
      expect(await early.again()).toBe(200);
      expect(await collected(made.id)).toEqual([]);
      const kept = await service.sql`
        select state, code from suspense where source_ref = ${`transfer ${early.id}`}`;
      expect(kept).toEqual([{ state: 'open', code: cvuFor(`${next}`) }]);
      const reversed = { type: 'transfer.reversed', id: early.id, amount: 143050 };
      expect(await tell(reversed)).toBe(200);
      await expect.poll(alarms).toContain('reversed_in_suspense');
    },
  };

  test('documents the outcome of each case, and no other', () =>
    expect(Object.keys(cases)).toEqual(rows));

  test.each(Object.keys(cases))('handles as documented: %s', async (name) => await cases[name]?.());
});
