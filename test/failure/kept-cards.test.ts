import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { keptCard, keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { startService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import {
  asMerchant,
  chargesOf,
  close,
  database,
  get,
  killedAt,
  kills,
  open,
  post,
  type Step,
  service,
  tokenOf,
} from './killing.ts';

/** Kills each process at each step of charging a debit to a card on file. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const visa = '4507990000004905';
let mandate = 0;

/** Creates a mandate on a card that the acquirer keeps. */
async function signedMandate(): Promise<number> {
  const { body } = await post('/card-adhesion', keptCardBody());
  // Another process with the same keys can build the link of the e-mail.
  const beside = await startService({ ...withoutWorker, DATABASE_URL: database.url });
  const { pathname } = new URL(signingUrl(beside, 'card_adhesion', body.id));
  await beside.stop();
  await signKeptCard(service.origin + pathname, {
    ...keptCard,
    connector: 'payway',
    token: await tokenOf(visa),
  });
  // Storing the card takes a moment with a slow connector.
  await vi.waitFor(
    async () => expect((await get(`/card-adhesion/${body.id}`)).state).toBe('signed'),
    { timeout: 60_000, interval: 100 },
  );
  return body.id;
}

beforeAll(async () => {
  await open();
  mandate = await signedMandate();
});
afterAll(close);

const clockAt = async (): Promise<Temporal.PlainDate> =>
  Temporal.PlainDate.from((await get('/sandbox/clock')).now.slice(0, 10));

/**
 * Creates a debit of the first period that is certainly open. Returns it with the time of its
 * charge.
 */
async function debit(): Promise<{ id: number; at: string }> {
  const { month, year } = (await clockAt()).add({ days: 14 });
  const { status, body, text } = await post('/card-debit-request', {
    card_debit_request: {
      card_adhesion_id: mandate,
      month,
      year,
      amount: 1430.5,
      description: 'Cuota',
    },
  });
  expect(status, text).toBe(201);
  const [row] = await database.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${body.id}`;
  return { id: body.id, at: `${row?.run_on}T00:01:00-03:00` };
}

/**
 * Moves the clock until the service has queried open outcomes and repeated charges that never
 * arrived.
 */
async function settle(at: string): Promise<void> {
  // The clock may already be past that moment.
  await post('/sandbox/clock', { advance_to: at });
  for (let times = 0; times < 6; times += 1) {
    expect((await post('/sandbox/clock', { minutes: 20 })).status).toBe(200);
  }
}

const lines: Record<Step['wire'], RegExp> = {
  toConnector: /^PUT \/charges\/[^/]+$/,
  toAcquirer: /^POST \/api\/v2\/payments$/,
};

describe.each(kills)('$what: the $victim is killed', ({ victim, ...step }) => {
  test('charges and books the debit once', async () => {
    const { id, at } = await debit();
    await killedAt(step, victim, lines, () => post('/sandbox/clock', { advance_to: at }));
    await settle(at);
    const taken = await chargesOf({ id });
    expect(taken.filter(({ status }) => status === 'approved')).toMatchObject([
      { amount: 143_050 },
    ]);
    const { state, request_result: results } = await get(`/card-debit-request/${id}`);
    expect([state, results.map(({ type }: { type: string }) => type)]).toEqual([
      'paid',
      ['collected_card_debit_request_result'],
    ]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });
});

test('charges the cardholder nothing for storing the card', async () => {
  const { results } = await asMerchant('/payments?pageSize=50');
  const pesos = results.filter(({ amount }: { amount: number }) => amount === 100);
  expect(pesos.map(({ status }: { status: string }) => status)).not.toContain('approved');
});
