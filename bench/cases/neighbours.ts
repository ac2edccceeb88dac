import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dayOf, formatDay } from '../../src/kernel/dates.ts';
import { packageRoot } from '../../src/package-root.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { formToken } from '../../src/portal/frame/forgery.ts';
import { type Member, openAccounts } from '../harness/accounts.ts';
import { apiKey, openLab, type Service, startService } from '../harness/lab.ts';
import { documentOf, qrItems } from '../harness/qrs.ts';
import { openHello, startGenerator } from '../harness/rounds.ts';
import { accountId, sampleRow } from '../harness/rows.ts';
import { signedIn } from '../harness/session.ts';
import { fill } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { compare, limit, type Result } from '../report.ts';
import { type Case, Void } from './case.ts';

const getsPerSecond = 100;
const mostRatio = 3;
const mostTurnMs = 50;
const rowsOfNeighbour = 20_000;
const qrsAtOnce = 10_000;
const importRows = 20_000;
const couponsReady = 60;
/** Lets a neighbor start before measuring. */
const settleMs = 2_000;

/** One account's call, repeated in a loop. */
type Act = (no: number) => Promise<Response>;

const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

/** Builds a 1 MB body of invalid items. */
const faultyBody = (): string => {
  const items = Array.from({ length: 14_000 }, (_unused, no) => ({
    quantity: -no,
    description: '',
    amount: 'x'.repeat(20),
  }));
  return JSON.stringify({ payment_request: { items } });
};

/** Builds a 30 KB body of QRs that lack every field. */
const emptyQrs = (): string =>
  JSON.stringify({ total_count: qrsAtOnce, data: Array.from({ length: qrsAtOnce }, () => ({})) });

/** Creates requests with a hundred items each, and returns the addresses of their coupons. */
async function coupons({ origin }: Service): Promise<string[]> {
  const due = formatDay(dayOf(wallClock.now()).add({ days: 20 }));
  const urls: string[] = [];
  for (let no = 0; no < couponsReady; no += 1) {
    const items = Array.from({ length: 100 }, (_unused, item) => ({
      quantity: 1,
      description: `Concepto ${item} de ${no}`,
      amount: 10,
    }));
    const payment_request = {
      description: 'Cuota',
      first_due_date: due,
      first_total: 1_000,
      payer_name: 'Ana',
      items,
    };
    const body = JSON.stringify({ payment_request });
    const answer = await fetch(`${origin}/payment-request`, { method: 'POST', headers, body });
    const made = (await answer.json()) as { pdf_url?: string };
    if (made.pdf_url === undefined) throw new Void(`no coupon: ${JSON.stringify(made)}`);
    urls.push(made.pdf_url);
  }
  return urls;
}

/** Uploads spreadsheets through the portal's form. */
function uploading({ origin }: Service, cookie: string): Act {
  const address = `/portal/${accountId}/imports`;
  const token = formToken(cookie.slice(cookie.indexOf('=') + 1), address);
  const due = dayOf(wallClock.now()).add({ days: 20 });
  return (no) => {
    const lines = Array.from(
      { length: importRows },
      (_unused, row) => `Socia ${row},Cuota,${due},${1_000 + (row % 977)}.50,n${no}-${row}`,
    );
    const heading = 'payer_name,description,first_due_date,first_total,external_reference';
    const form = new FormData();
    form.set('token', token);
    form.set('kind', 'payment_request');
    form.set('file', new Blob([[heading, ...lines].join('\n')]), `n${no}.csv`);
    const init = { method: 'POST', headers: { cookie, origin }, body: form } as const;
    return fetch(`${origin}${address}`, { ...init, redirect: 'manual' });
  };
}

async function actsOf(service: Service, cookie: string): Promise<Record<string, Act>> {
  const { origin } = service;
  const faulty = faultyBody();
  const empty = emptyQrs();
  const today = dayOf(wallClock.now());
  const documents = await coupons(service);
  const post = (address: string, body: string) =>
    fetch(`${origin}${address}`, { method: 'POST', headers, body });
  return {
    'save-qr': (no) =>
      post('/save-qr-data', documentOf(qrItems(`n${no % 1000}`, qrsAtOnce, today))),
    faulty: () => post('/payment-request', faulty),
    'faulty-qrs': () => post('/save-qr-data', empty),
    coupons: (no) => fetch(documents[no % documents.length] ?? ''),
    exports: () =>
      fetch(`${origin}/portal/${accountId}/requests/export.xlsx`, { headers: { cookie } }),
    imports: uploading(service, cookie),
  };
}

/** Repeats an act until stopped; returns counts by status. */
function loop(act: Act) {
  let stopping = false;
  const statuses: Record<string, number> = {};
  const run = async (): Promise<void> => {
    for (let no = 0; !stopping; no += 1) {
      const answer = await act(no);
      await answer.arrayBuffer();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status === 503) await pause(50);
    }
  };
  const all = run();
  return {
    statuses,
    async stop() {
      stopping = true;
      await all;
    },
  };
}

/** Measures one account's reads while another account repeats the most expensive calls. */
export const neighbours: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const turns = path.join(lab.dataDir, 'turns');
  await writeFile(turns, '');
  const watch = path.join(packageRoot(), 'dist', 'bench', 'harness', 'turns.js');
  const environment = { NODE_OPTIONS: `--import=${watch}`, BENCH_TURNS: turns, LINK_RATE: '0' };
  const service = await startService({ dataDir: lab.dataDir, cleanup, environment });
  const [, other] = (await openAccounts(lab, 2)) as [Member, Member];
  await fill(lab.sql, sampleRow(), settings.rows ?? rowsOfNeighbour);
  const like = { ...sampleRow(), account_id: other.accountId };
  const stored = await fill(lab.sql, like, 1_000);
  await lab.sql`vacuum analyze requests, request_states, events`;
  const acts = await actsOf(service, await signedIn(lab.sql));
  const generator = startGenerator(bench);
  const hello = await openHello(bench, generator);
  const load = {
    origin: service.origin,
    capture: false,
    requests: Array.from({ length: 500 }, (_unused, no) => ({
      method: 'GET' as const,
      path: `/payment-request/${stored.first + no}`,
      headers: { authorization: `Bearer ${other.key}` },
    })),
  };
  await generator.warmUp(load);
  const results: Result[] = [];
  for (const [name, act] of Object.entries(acts)) {
    const rounds = { ours: [] as number[], reference: [] as number[] };
    const neighbour = loop(act);
    await pause(settleMs);
    await writeFile(turns, '');
    for (let round = 0; round < settings.rounds; round += 1) {
      const { latencies } = await generator.paced(load, getsPerSecond);
      rounds.ours.push(percentile(latencies, 99));
      rounds.reference.push(await hello(load, getsPerSecond));
    }
    const turn = Number(await readFile(turns, 'utf8'));
    await neighbour.stop();
    const wanted = name.startsWith('faulty') ? [400] : [200, 201, 303];
    if (!wanted.some((status) => neighbour.statuses[status])) {
      throw new Void(
        `${name} is never answered as it should be: ${Object.keys(neighbour.statuses)}`,
      );
    }
    say(
      `  ${name}: answers ${JSON.stringify(neighbour.statuses)}, longest turn ${turn.toFixed(1)} ms`,
    );
    const of = 'the p99 of hello beside the same neighbour';
    results.push(
      compare(`neighbours.${name}`, 'ms', rounds, { bound: 'most', ratio: mostRatio, of }),
      limit(`neighbours.${name}.turn`, figure([turn], 'ms'), mostTurnMs),
    );
  }
  return results;
};
