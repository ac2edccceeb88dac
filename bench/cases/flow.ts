import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { type Child, startChild } from '../harness/child.ts';
import type { FlowOrder, FlowOutcome } from '../harness/flow.ts';
import { apiKey, balanceAt, openLab, pool, startService } from '../harness/lab.ts';
import { interleave } from '../harness/rounds.ts';
import { accountId, creatingRequests } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { startReference } from '../harness/stage.ts';
import { checkAcknowledged } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { balancesTable } from '../references/handwritten/pay.ts';
import type { HandwrittenOptions } from '../references/handwritten/server.ts';
import { compare } from '../report.ts';
import { type Case, Void } from './case.ts';

const leastRatio = 0.5;
const warmUpSeconds = 2;
const graceSeconds = 120;

/** Checks that every flow left one result and a paid request. */
async function checkPaid(sql: Sql, { ids }: FlowOutcome): Promise<void> {
  await checkAcknowledged(sql, accountId, ids);
  const [row] = await sql<{ results: number; paid: number }[]>`
    select (select count(*)::int from results where account_id = ${accountId}
        and request_id = any(${ids}::bigint[])) as results,
      (select count(*)::int from requests where account_id = ${accountId} and state = 'paid'
        and id = any(${ids}::bigint[])) as paid`;
  if (row?.results !== ids.length || row.paid !== ids.length) {
    throw new Void(
      `${ids.length} were paid; there are ${row?.results} results, ${row?.paid} paid.`,
    );
  }
}

/**
 * Measures whole flows per second (create, pay, read, balance) against hand-written ones without a
 * ledger.
 */
export const flow: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  await lab.sql.unsafe(balancesTable);
  const options: HandwrittenOptions = { databaseUrl: lab.url, pool };
  const byHand = await startReference('handwritten', options, cleanup);
  const child: Child<FlowOrder, FlowOutcome> = startChild('flow', cleanup);
  const creates = creatingRequests(apiKey, dayOf(wallClock.now()));
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const took: Record<string, number[]> = { service: [], 'by hand': [] };

  const run = async (name: 'service' | 'by hand', seconds: number): Promise<number> => {
    const origin = name === 'service' ? service.origin : byHand;
    const before = await balanceAt(origin);
    const order = { origin, lanes: settings.connections, seconds, creates, headers };
    const outcome = await child.ask(order, seconds + graceSeconds);
    await checkPaid(lab.sql, outcome);
    const grown = (await balanceAt(origin)) - before;
    if (grown !== outcome.net) {
      throw new Void(`${name}: payments of ${outcome.net} made the balance grow by ${grown}.`);
    }
    took[name]?.push(percentile(outcome.latencies, 99));
    return outcome.ids.length / outcome.seconds;
  };
  for (const name of ['service', 'by hand'] as const) await run(name, warmUpSeconds);
  for (const rounds of Object.values(took)) rounds.length = 0;
  await settled(lab.sql);
  // Realistic query plans, for the service and the hand-written reference.
  await lab.sql`vacuum analyze requests, request_states, events, results, journals, handwritten_balances`;
  const rates = await interleave(
    (['service', 'by hand'] as const).map((name) => ({
      name,
      run: () => run(name, settings.seconds),
      settle: () => settled(lab.sql),
    })),
    bench,
  );
  say('  each flow is in the database as paid, and the balances grew by what was paid');
  return [
    compare(
      'flow',
      'flows/s',
      { ours: rates('service'), reference: rates('by hand') },
      { bound: 'least', ratio: leastRatio, of: 'a hand-written flow without a ledger' },
      {
        'p99 of a whole flow': figure(took.service ?? [], 'ms'),
        'p99 of one by hand': figure(took['by hand'] ?? [], 'ms'),
      },
    ),
  ];
};
