import { afterAll, beforeAll, expect, test } from 'vitest';
import { allChannelCodes, type ChannelCode } from '../../src/money/channels/index.ts';
import { createCardDebit, settle, submittedDebit } from '../harness/builders/debits.ts';
import { signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { randomOf } from '../histories/random.ts';
import { dayIn, type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Ran, recaudo } from './run.ts';

/**
 * Covers an account's own fees on every channel that money arrives by, from the command to the
 * payment.
 */

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());

interface Terms {
  percentage: string;
  fixed: string;
  minimum: string;
  days: number;
}

interface Listed extends Terms {
  channel: ChannelCode;
  from: string | null;
  to: string | null;
}

const random = randomOf(20261122);
const twoDecimals = (below: number): string => (random.below(below * 100) / 100).toFixed(2);

/** Distinct terms for each channel. The minimum applies for some of them. */
const own = new Map<ChannelCode, Terms>(
  allChannelCodes.map((channel) => [
    channel,
    {
      percentage: twoDecimals(9),
      fixed: twoDecimals(20),
      minimum: twoDecimals(150),
      days: random.between(0, 20),
    },
  ]),
);

const fees = (...args: string[]): Promise<Ran> =>
  recaudo(['fees', ...args, '--account', testAccount], { DATABASE_URL: service.databaseUrl });

async function list(): Promise<Listed[]> {
  const { code, stdout, stderr } = await fees('list', '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Pays 1430.50 on a channel as its network, bank or payer does. Returns the request's GET. */
const payments: Record<ChannelCode, () => Promise<Record<string, unknown>>> = {
  credit_card: () => payOn('credit_card', { card_number: '4507990000004905' }),
  debit_card: () => payOn('debit_card', { card_number: '4517721004856075' }),
  banelco_pmc: () => payOn('banelco_pmc'),
  link_pagos: () => payOn('link_pagos'),
  DEBIN: () => payOn('DEBIN', { cbu_number: '0110599500000123456784' }),
  wire_transfer: () => payOn('wire_transfer'),
  non_banking: () => payOn('non_banking'),
  qr: () => payOn('qr'),
  direct_debit: async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { paid: true });
    return (await service.call('GET', `/debit-request/${debit}`)).body;
  },
  card_debit: async () => {
    const today = service.service.parts.clocks.business.today();
    const next = today.add({ months: 1 });
    const { body } = await createCardDebit(service, await signedCardAdhesion(service), {
      ...{ month: next.month, year: next.year },
    });
    await player.move({ days: 60 });
    return (await service.call('GET', `/card-debit-request/${body.id}`)).body;
  },
};

async function payOn(channel: ChannelCode, fields: object = {}): Promise<Record<string, unknown>> {
  const id = await player.create({ first_total: 1430.5 });
  const { status, text, body } = await player.pay(id, { channel, ...fields });
  expect(status, text).toBe(200);
  return body;
}

/** Computes the percentage plus the fixed part, but at least the minimum, in centavos. */
function netOf({ percentage, fixed, minimum }: Terms): number {
  const inCentavos = (text: string): bigint => BigInt(text.replace('.', ''));
  // Hundredths of a percent, rounded half-up.
  const share = (143_050n * inCentavos(percentage) * 2n + 10_000n) / 20_000n;
  const fee = share + inCentavos(fixed);
  const least = inCentavos(minimum);
  return Number(fee > least ? fee : least);
}

async function paidAt(channel: ChannelCode): Promise<{ net: number; vat: number }> {
  const body = await payments[channel]();
  const results = body.request_result as { net_fee: number; fee_iva: number; amount: number }[];
  const [result] = results.filter(({ net_fee }) => net_fee !== undefined);
  expect(result?.amount, JSON.stringify(body)).toBe(1430.5);
  return {
    net: Math.round((result?.net_fee ?? 0) * 100),
    vat: Math.round((result?.fee_iva ?? 0) * 100),
  };
}

const vatOf = (net: number): number => Number((BigInt(net) * 42n + 100n) / 200n);
const expected = (terms: Terms) => ({ net: netOf(terms), vat: vatOf(netOf(terms)) });

test('sets and lists fees of every channel, and charges them on its payments', async () => {
  const from = dayIn(service, 0);
  for (const [channel, { percentage, fixed, minimum, days }] of own) {
    const terms = ['--percentage', percentage, '--fixed', fixed, '--minimum', minimum];
    const set = await fees(
      ...['set', '--channel', channel, ...terms, '--days', String(days), '--from', from],
    );
    expect(set.code, set.stderr).toBe(0);
  }
  const rows = await list();
  const standard = rows.filter((row) => row.from === null);
  expect(standard.map(({ channel }) => channel)).toEqual(allChannelCodes);
  for (const [channel, terms] of own) {
    const mine = rows.filter((row) => row.channel === channel && row.from !== null);
    expect(mine).toEqual([{ channel, from, to: null, ...terms }]);
    expect(await paidAt(channel), channel).toEqual(expected(terms));
  }
});

test('ends fees of every channel, and charges the standard ones again', async () => {
  const from = dayIn(service, 0);
  for (const channel of allChannelCodes) {
    const ended = await fees('end', '--channel', channel, '--from', from);
    expect(ended.code, ended.stderr).toBe(0);
  }
  const rows = await list();
  for (const channel of allChannelCodes) {
    const terms = rows.find((row) => row.channel === channel && row.from === null);
    if (!terms) throw new Error(`${channel} has no standard terms`);
    expect(rows.filter((row) => row.channel === channel && row.to === null && row.from)).toEqual(
      [],
    );
    expect(await paidAt(channel), channel).toEqual(expected(terms));
  }
  expect(await player.faults()).toEqual([]);
});
