import { writeFile } from 'node:fs/promises';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { type Child, startChild } from '../harness/child.ts';
import { registerWebhook } from '../harness/events.ts';
import type { FlowOrder, FlowOutcome } from '../harness/flow.ts';
import { apiKey, balanceAt, openLab, startService } from '../harness/lab.ts';
import { accountId, creatingRequests } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { checkAcknowledged } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import type { ReceiverOrder, ReceiverReply } from '../references/receiver.ts';
import { compare } from '../report.ts';
import { type Case, Void } from './case.ts';

const usualFlows = 1_000_000;
const shareOfMaximum = 0.5;
const leastOfOffered = 0.98;
const graceSeconds = 600;

/** Counts what the flows left behind; each count must be the number of flows. */
async function countsOf(sql: Sql): Promise<Record<string, number>> {
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*)::int from requests
        where account_id = ${accountId} and state = 'paid') as requests,
      (select count(*)::int from events
        where account_id = ${accountId} and type = 'payment_request.paid') as events,
      (select count(*)::int from results where account_id = ${accountId}) as results,
      (select count(*)::int from journals
        where account_id = ${accountId} and kind = 'collection') as journals,
      (select count(*)::int from deliveries
        where account_id = ${accountId} and state = 'delivered') as deliveries`;
  return row ?? {};
}

/**
 * Plays many whole flows (create, pay, read, balance, webhook) at half the rate that the service
 * reached at its maximum. Arrivals are open: a flow starts when it is due, however the others fare.
 * With `--json`, the milliseconds of each flow are written to a second file.
 */
export const load: Case = async ({ settings, cleanup, say }) => {
  const flows = settings.rows ?? usualFlows;
  const lab = await openLab(cleanup);
  const { origin } = await startService({ dataDir: lab.dataDir, cleanup });
  const receiver: Child<ReceiverOrder, ReceiverReply> = startChild('receiver', cleanup);
  const opened = await receiver.ask({ kind: 'open' });
  if (!('origin' in opened)) throw new Void('The receiver did not open.');
  await registerWebhook(lab.sql, accountId, `${opened.origin}/hook`);
  const child: Child<FlowOrder, FlowOutcome> = startChild('flow', cleanup);
  const order = {
    origin,
    lanes: settings.connections,
    creates: creatingRequests(apiKey, dayOf(wallClock.now())),
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  };
  const play = async (more: Pick<FlowOrder, 'seconds' | 'pace'>): Promise<FlowOutcome> => {
    const outcome = await child.ask({ ...order, ...more }, more.seconds * 2 + graceSeconds);
    const count = outcome.ids.length;
    const reply = await receiver.ask({ kind: 'await', count, seconds: graceSeconds }, graceSeconds);
    if (!('arrivals' in reply) || reply.arrivals.size !== count) {
      throw new Void(`${count} flows did not cause as many webhooks.`);
    }
    return outcome;
  };

  const fastest = await play({ seconds: settings.seconds });
  const maximum = fastest.ids.length / fastest.seconds;
  const perSecond = maximum * shareOfMaximum;
  say(`  at most ${maximum.toFixed(0)} flows/s; ${flows} at ${perSecond.toFixed(0)} from now on`);
  await settled(lab.sql);
  const paced = await play({ seconds: flows / perSecond, pace: { perSecond, flows } });

  await settled(lab.sql);
  await checkAcknowledged(lab.sql, accountId, paced.ids);
  const counts = await countsOf(lab.sql);
  const wanted = fastest.ids.length + paced.ids.length;
  if (paced.ids.length !== flows || Object.values(counts).some((count) => count !== wanted)) {
    throw new Void(`${wanted} flows left ${JSON.stringify(counts)}.`);
  }
  const balance = await balanceAt(origin);
  if (balance !== fastest.net + paced.net) {
    throw new Void(`Flows of ${fastest.net + paced.net} left a balance of ${balance}.`);
  }
  say(`  ${wanted} requests, events, results, journals and deliveries; the balance is their sum`);
  if (settings.json !== null) {
    await writeFile(`${settings.json}.flows`, `${paced.latencies.join('\n')}\n`);
  }
  const took = (percent: number) => figure([percentile(paced.latencies, percent)], 'ms');
  return [
    compare(
      'load',
      'flows/s',
      { ours: [paced.ids.length / paced.seconds], reference: [perSecond] },
      { bound: 'least', ratio: leastOfOffered, of: 'the offered rate' },
      {
        'maximum before': figure([maximum], 'flows/s'),
        'p50 of a whole flow': took(50),
        'p99 of a whole flow': took(99),
        'p99.9 of a whole flow': took(99.9),
      },
    ),
  ];
};
