import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { testAccount } from '../harness/service.ts';
import { type Keeper, openKeeper } from './keeper.ts';
import { approvedAs, type Call } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

let keeper: Keeper;
beforeAll(async () => {
  keeper = await openKeeper();
});
afterAll(() => keeper?.stop());

test('charges debits 16 at a time, each once, though the acquirer is slow', async () => {
  const { service, player, acquirer } = keeper;
  const made = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
  await signKeptCard(signingUrl(service, 'card_adhesion', made.body.id));
  const ids: number[] = [];
  for (let no = 0; no < 20; no += 1) {
    ids.push((await createCardDebit(service, made.body.id)).body.id);
  }
  await handOver(service, ids[0] ?? 0);
  const held: { response: ServerResponse; call: Call }[] = [];
  acquirer.plays.charge = (call) => (response) => held.push({ response, call });
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${ids[0] ?? 0}`;
  const moving = player.move({ advance_to: `${row?.run_on}T00:01:00-03:00` });
  await expect.poll(() => held.length).toBe(16);
  acquirer.plays.charge = ({ attempt, body }) => approvedAs(`ref-${attempt}`, body.amount);
  for (const { response, call } of held) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(approvedAs(`ref-${call.attempt}`, call.body.amount).json));
  }
  expect((await moving).status).toBe(200);
  const orders = acquirer.calls
    .filter(({ method, path }) => method === 'PUT' && path.startsWith('/charges/'))
    .map(({ body }) => Number(body.request.id));
  expect(orders.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  for (const id of ids) {
    expect((await service.call('GET', `/card-debit-request/${id}`)).body.state).toBe('paid');
  }
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
});
