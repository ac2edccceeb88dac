import { afterEach, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { startService, testAccount } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Played, playConnector } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Covers a payer's wait for a charge that never arrived. */
let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

const says: Record<string, Played['plays']['inquiry']> = {
  'says so': () => ({ json: { outcome: 'unheard' } }),
  'answers 404': () => ({ status: 404, json: { message: 'Nobody knows it.' } }),
};

async function begun(inquiry: Played['plays']['inquiry'], settles: number) {
  const terms = { channel: 'DEBIN', settles_within_s: settles };
  const bank = await playConnector('bank', [terms]);
  const service = await startService({
    ...withoutWorker,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  stop = async () => {
    const faults = await auditAccount(service.sql, testAccount);
    await service.stop();
    await bank.stop();
    expect(faults).toEqual([]);
  };
  const player = playerOf(service);
  const { charge } = bank.plays;
  bank.plays.charge = () => (response) => response.destroy();
  bank.plays.inquiry = inquiry;
  const id = await player.create();
  const pay = () => player.pay(id, { channel: 'DEBIN' });
  await pay();
  bank.plays.charge = charge;
  return { bank, player, id, pay };
}

test.each<[string, number, number, number]>([
  // The seconds that the connector promises, the minutes after which the payer is still waiting,
  // and the minutes after which the wait ends.
  ['says so', 60, 9, 10],
  ['answers 404', 60, 9, 10],
  ['says so', 600, 9, 10],
  ['answers 404', 600, 10, 11],
  ['says so', 3600, 59, 60],
  ['answers 404', 3600, 60, 61],
])(
  'blocks a retry if the connector %s (settles within %d s) for %d minutes, and allows it after %d',
  async (how, settles, waits, over) => {
    const inquiry = says[how];
    if (!inquiry) throw new Error(how);
    const { player, id, pay } = await begun(inquiry, settles);
    await player.move({ minutes: waits });
    expect((await pay()).status).toBe(409);
    await player.move({ minutes: over - waits });
    expect((await pay()).status).toBe(200);
    const { state, request_result: results } = await player.get(id);
    expect([state, results.length]).toEqual(['paid', 1]);
  },
);

test('keeps blocking a retry after a single denial, and records a late approval', async () => {
  const { bank, player, id, pay } = await begun(() => ({ json: { outcome: 'unheard' } }), 60);
  await player.move({ minutes: 5 });
  bank.plays.inquiry = () => ({ status: 500, json: { message: 'away' } });
  await player.move({ minutes: 8 });
  expect((await pay()).status).toBe(409);
  bank.plays.inquiry = ({ attempt }) => ({
    json: { outcome: 'approved', reference: `late-${attempt}`, amount: 143050 },
  });
  await player.move({ minutes: 3 });
  const { state, request_result: results } = await player.get(id);
  expect([state, results.length]).toEqual(['paid', 1]);
});
