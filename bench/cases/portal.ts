import { get } from 'node:http';
import { writeWords } from '../../src/requests/words/store.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { fillDebits } from '../harness/debits.ts';
import { firstPaint } from '../harness/first-paint.ts';
import { type Lab, openLab, startService } from '../harness/lab.ts';
import { copyQrs } from '../harness/qrs.ts';
import { openHello, startGenerator } from '../harness/rounds.ts';
import { accountId, sampleRow } from '../harness/rows.ts';
import { signedIn } from '../harness/session.ts';
import { settled } from '../harness/settle.ts';
import { type Filled, fill } from '../harness/store.ts';
import { fillYear } from '../harness/year.ts';
import { figure, percentile } from '../numbers.ts';
import { limit, type Result } from '../report.ts';
import { type Bench, type Case, Void } from './case.ts';

const requestsStored = 1_000_000;
const payers = 1_000;
/** Share of requests that are paid during the year. */
const paidShare = 0.3;
const otherRows = 20_000;
const wordsAtOnce = 5_000;
const pagesPerSecond = 20;
const mostPageMs = 50;
const mostHomeKilobytes = 100;
const mostFirstPaintMs = 1_000;

/**
 * Fills an office's account: requests of many payers, their search words, and a year of payments.
 */
async function fillOffice({ settings, say }: Bench, lab: Lab): Promise<Filled> {
  const { sql } = lab;
  const count = settings.rows ?? requestsStored;
  const begun = performance.now();
  const filled = await fill(sql, { ...sampleRow(), payer: 'Socia' }, count, payers);
  for (let from = 0; from < count; from += wordsAtOnce) {
    const length = Math.min(wordsAtOnce, count - from);
    const named = Array.from({ length }, (_unused, at) => ({
      accountId,
      id: filled.first + from + at,
    }));
    await writeWords(sql, named);
  }
  await fillYear(sql, { first: filled.first, count: Math.ceil(count * paidShare) });
  await fillDebits(sql, otherRows);
  await copyQrs(lab, 'page', otherRows);
  await sql`vacuum analyze`;
  await settled(sql);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  say(`  ${count} requests stored, sealed and with their words in ${seconds} s`);
  return filled;
}

/** Returns the size of a response on the wire to a browser. */
const wireBytes = (url: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'br, gzip' };
    get(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    }).once('error', reject);
  });

/** The office's pages, requested at an even rate; their rows belong to the largest account. */
const pagesOf = ({ first, count }: Filled): Record<string, string> => ({
  home: '',
  requests: '/requests',
  'requests.channel': '/requests?channel=credit_card',
  'requests.search': '/requests?q=socia7',
  'requests.rare': '/requests?q=contract-9+socia42',
  'requests.state': '/requests?state=pending',
  'requests.none': '/requests?q=nadie',
  request: `/requests/${first + Math.floor(count / 2)}`,
  'request.paid': `/requests/${first + Math.floor(count / 4)}`,
  mandates: '/mandates',
  'mandates.search': '/mandates?q=perez',
  debits: '/debits',
  'debits.search': '/debits?q=perez',
  qr: '/qr',
  money: '/money',
  'money.available': '/money/available',
  reports: '/reports',
  'reports.collection': '/reports/collection',
  'reports.statement': '/reports/statement',
  imports: '/imports',
  integrations: '/integrations',
  log: '/log',
  settings: '/settings',
});

/** Measures the home page's size, and in each round its time to first paint over a slow line. */
async function homeOf(
  { settings, cleanup }: Bench,
  url: string,
  cookie: string,
): Promise<Result[]> {
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const paints: number[] = [];
  for (let round = 0; round < settings.rounds; round += 1) {
    paints.push(await firstPaint(browser, url, cookie));
  }
  const kilobytes = (await wireBytes(url, cookie)) / 1000;
  return [
    limit('portal.home.bytes', figure([kilobytes], 'kB'), mostHomeKilobytes),
    limit('portal.home.first-paint', figure(paints, 'ms'), mostFirstPaintMs),
  ];
}

/** Measures the 95th percentile of each portal page, with a million stored requests. */
export const portal: Case = async (bench) => {
  const { settings, cleanup } = bench;
  const lab = await openLab(cleanup);
  const { origin } = await startService({ dataDir: lab.dataDir, cleanup });
  const filled = await fillOffice(bench, lab);
  const cookie = await signedIn(lab.sql);
  const generator = startGenerator(bench);
  const hello = await openHello(bench, generator);
  const results: Result[] = [];
  for (const [name, path] of Object.entries(pagesOf(filled))) {
    const request = {
      method: 'GET' as const,
      path: `/portal/${accountId}${path}`,
      headers: { cookie },
    };
    const { status } = await fetch(origin + request.path, {
      headers: { cookie },
      redirect: 'manual',
    });
    if (status !== 200) throw new Void(`${request.path} answers ${status}.`);
    const load = { origin, requests: [request], capture: false };
    await generator.paced(load, pagesPerSecond);
    const p95: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      const { latencies } = await generator.paced(load, pagesPerSecond);
      p95.push(percentile(latencies, 95));
    }
    const beside = figure([await hello(load, pagesPerSecond, 95)], 'ms');
    const others = { 'p95 of hello at that rate': beside };
    results.push(limit(`portal.${name}.p95`, figure(p95, 'ms'), mostPageMs, others));
  }
  return [...results, ...(await homeOf(bench, `${origin}/portal/${accountId}`, cookie))];
};
