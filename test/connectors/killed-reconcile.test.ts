import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { noticePartsOf } from '../../src/composition/notices.ts';
import { reconcile } from '../../src/connectors/http.ts';
import { transferCvu } from '../../src/payment-requests/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo, startRecaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import {
  approvedAs,
  type Call,
  manifestOf,
  type Play,
  type Played,
  playConnector,
} from './played.ts';

// Commands are processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

/** Covers `connectors reconcile` when it is killed midway and run again. */
let bank: Played;
let service: TestService;
let player: Player;
let superuser: Sql;
const channels = ['DEBIN', 'wire_transfer'];
beforeAll(async () => {
  bank = await playConnector('bank', channels);
  const notices = ['charge.changed', 'transfer.received', 'transfer.reversed'];
  bank.plays.manifest = () => ({ json: { ...manifestOf('bank', channels), notices } });
  service = await startService({
    ROLES: 'payments',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl, { applicationName: 'end' });
});
afterAll(async () => {
  await superuser?.end();
  await service?.stop();
  await bank?.stop();
});

const due = 143_050;
const nowText = (): string =>
  service.service.parts.clocks.business.now().toString({ smallestUnit: 'millisecond' });

interface Day {
  /** Requests with unreported money at the bank, and their final states. */
  requests: { id: number; ends: string }[];
  day: string;
}

/** Prepares a separate day with lost answers to charges, and with unreported transfers. */
async function dayWithNews(): Promise<Day> {
  await player.move({ days: 1 });
  const day = service.service.parts.clocks.business.today().toString();
  bank.plays.charge = () => ({ status: 500, json: { message: 'lost' } });
  bank.plays.inquiry = () => ({ status: 500, json: { message: 'away' } });
  const charged = [await player.create(), await player.create()];
  for (const id of charged) await player.pay(id, { channel: 'DEBIN' });
  const attempts = charged.map((id) =>
    String(bank.calls.find(({ body }) => body?.request?.id === `${id}`)?.attempt),
  );
  const [came, back] = [await player.create(), await player.create()];
  await player.move({ minutes: 1 });
  const transfer = (id: number, state: string) => ({
    id: `T${id}`,
    cvu: transferCvu(String(service.config.CVU_PSP), id),
    amount: due,
    paid_at: nowText(),
    state,
  });
  bank.plays.charges = () => ({
    json: {
      charges: attempts.map((attempt) => ({
        attempt,
        outcome: 'approved',
        reference: `ref-${attempt}`,
        amount: due,
        refunded: 0,
      })),
    },
  });
  bank.plays.transfers = () => ({
    json: { transfers: [transfer(came, 'received'), transfer(back, 'reversed')] },
  });
  bank.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, due);
  return {
    day,
    requests: [
      ...charged.map((id) => ({ id, ends: 'paid' })),
      { id: came, ends: 'paid' },
      { id: back, ends: 'reverted' },
    ],
  };
}

const env = (): Record<string, string> => ({
  DATABASE_URL: service.databaseUrl,
  CONNECTORS: JSON.stringify([bank.configured()]),
});
/** Runs the same comparison with the service's own parts. */
async function reconcileHere(day: string) {
  const { parts } = service.service;
  const [connector] = parts.connectors.all;
  if (!connector) throw new Error('no connector is configured');
  const acting = { ...parts.base, actor: testOperator };
  return await reconcile(noticePartsOf(parts), acting, connector, Temporal.PlainDate.from(day));
}

const words = (day: string) => ['connectors', 'reconcile', '--day', day, '--json'];

/** Runs the command until the awaited step, and kills it there. */
async function killed(day: string, reached: Promise<unknown>): Promise<void> {
  const { child, ran } = startRecaudo(words(day), env());
  const closed = once(child, 'close');
  const early = closed.then(() => {
    throw new Error(`it ended before it was killed: ${ran.stdout}${ran.stderr}`);
  });
  await Promise.race([reached, early]);
  child.kill('SIGKILL');
  await closed;
}

type Name = 'charges' | 'transfers' | 'inquiry';

/** Holds the nth call of a kind, and kills the command there. */
async function killedAtCall(day: string, name: Name, which: number): Promise<void> {
  const reached = Promise.withResolvers<Call>();
  const play = bank.plays[name];
  let heard = 0;
  bank.plays[name] = (call): Play => {
    heard += 1;
    if (heard < which) return play(call);
    return (response: ServerResponse) => {
      reached.resolve(call);
      response.on('close', () => response.destroy());
    };
  };
  await killed(day, reached.promise);
  bank.plays[name] = play;
}

/** Holds the writes to a table, and kills the writer. */
async function killedAtWrite(day: string, table: string): Promise<void> {
  await service.sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in exclusive mode`);
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    let pids: number[] = [];
    const waits = vi.waitFor(
      async () => {
        const rows = await superuser<{ pid: number }[]>`
          select pid from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`;
        expect(rows).not.toEqual([]);
        pids = rows.map(({ pid }) => pid);
      },
      { timeout: 60_000, interval: 20 },
    );
    await killed(day, waits);
    // A waiting connection outlives its process unless it is ended as well.
    for (const pid of pids) await superuser`select pg_terminate_backend(${pid}, 5000)`;
  });
}

test.each<[string, (day: string) => Promise<void>]>([
  ['before the first list arrived', (day) => killedAtCall(day, 'charges', 1)],
  ['while inquiring about the first charge', (day) => killedAtCall(day, 'inquiry', 1)],
  ['between the two charges', (day) => killedAtCall(day, 'inquiry', 2)],
  ['while recording a payment', (day) => killedAtWrite(day, 'results')],
  ['between charges and transfers', (day) => killedAtCall(day, 'transfers', 1)],
  ['while storing its findings', (day) => killedAtWrite(day, 'reconciliations')],
])('records everything once when killed %s and run again', async (_when, kill) => {
  const { day, requests } = await dayWithNews();
  await kill(day);
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  const again = await recaudo(words(day), env());
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(await reconcileHere(day)).toMatchObject({ recorded: [], findings: [] });
  for (const { id, ends } of requests) {
    const { state, request_result: results } = await player.get(id);
    const collected = results.filter(({ type }: { type: string }) => type.startsWith('collected'));
    expect([id, state, collected.length]).toEqual([id, ends, 1]);
  }
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
});
