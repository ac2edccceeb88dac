import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { openAccounts } from '../harness/accounts.ts';
import { balanceAt, type Lab, openLab, type Service, startService } from '../harness/lab.ts';
import { type Act, type Busy, type Call, callsOf, mix } from '../harness/mix.ts';
import { documentOf, qrItems } from '../harness/qrs.ts';
import { startGenerator } from '../harness/rounds.ts';
import { sampleRow } from '../harness/rows.ts';
import { startReference } from '../harness/stage.ts';
import { fill } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { told } from '../report.ts';
import { type Bench, type Case, Void } from './case.ts';

const accounts = 4;
const requestsEach = 25_000;
const qrsEach = 500;
const callsPerSecond = 200;
const percents = [50, 95, 99] as const;

async function openBusy({ settings }: Bench, lab: Lab, service: Service): Promise<Busy[]> {
  const today = dayOf(wallClock.now());
  const busy: Busy[] = [];
  for (const member of await openAccounts(lab, accounts)) {
    const like = { ...sampleRow(), account_id: member.accountId };
    const stored = await fill(lab.sql, like, settings.rows ?? requestsEach);
    const items = qrItems('mix', qrsEach, today);
    const response = await fetch(`${service.origin}/save-qr-data`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.key}`, 'content-type': 'application/json' },
      body: documentOf(items),
    });
    if (!response.ok) throw new Void(`save-qr-data: ${response.status} ${await response.text()}`);
    busy.push({ ...member, stored, qrs: items.map(({ id }) => id), nextUnpaid: 0 });
  }
  await lab.sql`vacuum analyze requests, request_states, events, results, journals`;
  return busy;
}

interface Books {
  requests: number;
  results: number;
  /** Net amount of the account's payments. */
  net: number;
}

async function booksOf({ sql }: Lab, accountId: string): Promise<Books> {
  const [row] = await sql<Books[]>`
    select (select count(*)::int from requests where account_id = ${accountId}) as requests,
      count(*)::int as results, coalesce(sum(unreleased), 0)::float8 as net
    from results where account_id = ${accountId}`;
  if (!row) throw new Void(`There are no books of ${accountId}.`);
  return row;
}

/**
 * Checks that every acknowledged payment is recorded once, and that each balance is the sum of its
 * payments.
 */
async function checkBooks(
  { lab, origin }: { lab: Lab; origin: string },
  busy: Busy[],
  before: Map<string, Books>,
  calls: Call[],
): Promise<void> {
  for (const { accountId, key } of busy) {
    const done = (act: Act) =>
      calls.filter((one) => one.act === act && one.accountId === accountId).length;
    const was = before.get(accountId) ?? { requests: 0, results: 0 };
    const { requests, results, net } = await booksOf(lab, accountId);
    if (requests - was.requests !== done('create') || results - was.results !== done('pay')) {
      throw new Void(
        `${accountId}: ${done('create')} created and ${done('pay')} paid, but there are ` +
          `${requests - was.requests} more requests and ${results - was.results} more results.`,
      );
    }
    const balance = await balanceAt(origin, key);
    if (net !== balance) throw new Void(`${accountId} was paid ${net} and has ${balance}.`);
  }
}

/** Measures each act in a daily mix of several accounts at an even rate. */
export const mixed: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  const busy = await openBusy(bench, lab, service);
  const generator = startGenerator(bench);
  const hello = await startReference('hello', {}, cleanup);
  const count = callsPerSecond * settings.seconds;
  const needed = Math.ceil(((settings.rounds + 1) * count * mix.pay) / 100 / accounts) + 100;
  if (needed > (settings.rows ?? requestsEach)) throw new Void(`--rows must be ${needed} or more.`);
  const times = new Map<string, number[]>();
  const note = (name: string, value: number): void => {
    times.set(name, [...(times.get(name) ?? []), value]);
  };

  for (let round = 0; round <= settings.rounds; round += 1) {
    const calls = callsOf(busy, count);
    const load = {
      origin: service.origin,
      requests: calls.map(({ request }) => request),
      capture: false,
    };
    const before = new Map<string, Books>();
    for (const { accountId } of busy) before.set(accountId, await booksOf(lab, accountId));
    const { latencies } = await generator.paced(load, callsPerSecond);
    await checkBooks({ lab, origin: service.origin }, busy, before, calls);
    // The first round warms caches, plans and compiled code.
    if (round === 0) continue;
    const idle = await generator.paced({ ...load, origin: hello }, callsPerSecond);
    for (const percent of percents) {
      note(`hello ${percent}`, percentile(idle.latencies, percent));
      for (const act of Object.keys(mix)) {
        const own = latencies.filter((_ms, index) => calls[index]?.act === act);
        note(`${act} ${percent}`, percentile(own, percent));
      }
    }
    say(`  round ${round} of ${settings.rounds}: ${count} calls, none refused, the books agree`);
  }
  const at = (name: string, percent: number): number[] => times.get(`${name} ${percent}`) ?? [];
  return Object.keys(mix).map((act) =>
    told(
      `mixed.${act.replace(' ', '-')}`,
      'ms',
      { ours: at(act, 99), reference: at('hello', 99) },
      'the p99 of hello at that rate',
      {
        p50: figure(at(act, 50), 'ms'),
        p95: figure(at(act, 95), 'ms'),
        'p50 of hello': figure(at('hello', 50), 'ms'),
        'p95 of hello': figure(at('hello', 95), 'ms'),
      },
    ),
  );
};
