import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll } from '../../src/money/ledger/index.ts';
import type { Sealer } from '../../src/seals/index.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openTamperer, type Tamperer } from '../harness/tamper.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

/**
 * Times of two seals, and a start between them. An audit since then trusts rows that only the older
 * seal covers.
 */
const older = Temporal.Instant.from('2026-01-10T12:00:00Z');
const since = Temporal.Instant.from('2026-01-11T12:00:00Z');
const newer = Temporal.Instant.from('2026-01-12T12:00:00Z');

let service: TestService;
let player: Player;
let tamperer: Tamperer;
let before: number;
let changed: number;
let after: number;

/** Seals all rows as of a moment. */
async function sealAt(moment: Temporal.Instant): Promise<void> {
  const { keys } = service.service.parts.sealer;
  const sealer: Sealer = { keys, moment: () => moment };
  await sealAll(service.sql, sealer);
  await sealEvents(service, sealer);
}

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  tamperer = openTamperer(service);
  before = await player.create();
  changed = await player.create();
  await player.pay(changed);
  await sealAt(older);
  after = await player.create();
  await player.refund(changed);
  await sealAt(newer);
}, 60_000);
afterAll(async () => {
  await tamperer.end();
  await service.stop();
});

const wasChanged = (id: number) => `request ${id} differs from its seal`;
const payerOf = (id: number) => `update requests set payer = 'Nobody' where id = ${id}`;

test('finds no fault without a change, from any start', async () => {
  for (const moment of [older, since, newer, newer.add({ hours: 24 })]) {
    expect(await tamperer.faultsAfter('select 1', { since: moment })).toEqual([]);
  }
  expect(await tamperer.faultsAfter('select 1')).toEqual([]);
});

test('trusts rows sealed before the start, and finds their changes only in a full audit', async () => {
  expect(await tamperer.faultsAfter(payerOf(before))).toEqual([wasChanged(before)]);
  expect(await tamperer.faultsAfter(payerOf(before), { since })).toEqual([]);
  // A seal at exactly the start belongs to the checked period.
  expect(await tamperer.faultsAfter(payerOf(before), { since: older })).toEqual([
    wasChanged(before),
  ]);
});

test('compares rows sealed for the first time, or resealed, since the start', async () => {
  for (const id of [changed, after]) {
    expect(await tamperer.faultsAfter(payerOf(id), { since })).toEqual([wasChanged(id)]);
  }
});

test('reports a missing row only if it was sealed after the start of the audited period', async () => {
  const gone = (id: number) =>
    `delete from requests where id = ${id}; delete from request_states where id = ${id};
     delete from events where entity_id = '${id}'`;
  const faults = await tamperer.faultsAfter(gone(after), { since });
  expect(faults).toContain(`request ${after} was sealed, but does not exist`);
  expect(await tamperer.faultsAfter(gone(before), { since })).toEqual([]);
  expect(await tamperer.faultsAfter(gone(before))).toContain(
    `request ${before} was sealed, but does not exist`,
  );
});

test('continues the chain from the last earlier link, which must match', async () => {
  const links = `seal_links where account_id = '${testAccount}'`;
  const last = `(select max(no) from ${links} and sealed_at < '${since}')`;
  const change = (no: string) =>
    `update seal_links set hash = sha256(hash) where account_id = '${testAccount}' and no = ${no}`;
  const broken = /^seal \d+ does not match its chain$/;
  expect(await tamperer.faultsAfter(change(last), { since })).toEqual([
    expect.stringMatching(broken),
  ]);
  // An audit from `since` on trusts the links before the last earlier one; only a full audit checks
  // them.
  expect(await tamperer.faultsAfter(change('1'), { since })).toEqual([]);
  expect(await tamperer.faultsAfter(change('1'))).toEqual([expect.stringMatching(broken)]);
});

test('computes sums, states and figures from all rows, from any start', async () => {
  const state = `update requests set state = 'expired' where id = ${before}`;
  expect(await tamperer.faultsAfter(state, { since })).toContain(
    `request ${before} is expired, but its last event says pending`,
  );
  const amount = `update results set amount = amount + 1 where request_id = ${changed}`;
  expect(await tamperer.faultsAfter(amount, { since: newer.add({ hours: 1 }) })).not.toEqual([]);
});
