import { get } from 'node:http';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { writeWords } from '../../src/requests/words/store.ts';
import { openSession } from '../../src/users/sign-in/sessions.ts';
import { openLab, startService } from '../harness/lab.ts';
import { fillDay } from '../harness/money.ts';
import { startGenerator } from '../harness/rounds.ts';
import { accountId, sampleRow } from '../harness/rows.ts';
import { type Filled, fill, reserveIds } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { limit, type Result } from '../report.ts';
import { type Bench, type Case, Void } from './case.ts';

const requestsStored = 1_000_000;
const payers = 100;
const wordsAtOnce = 5_000;
const pagesPerSecond = 20;
const mostPageMs = 50;
const mostHomeKilobytes = 100;

const nameOf = (no: number): string => `Socia${no} Apellido${no % 10}`;

/** Requests of many payers, and the words by which they are searched. */
async function fillRequests({ settings, say }: Bench, sql: Sql): Promise<Filled[]> {
  const each = Math.ceil((settings.rows ?? requestsStored) / payers);
  const begun = performance.now();
  const filled: Filled[] = [];
  for (let no = 0; no < payers; no += 1) {
    const part = await fill(sql, { ...sampleRow(), payer: nameOf(no) }, each);
    for (let from = 0; from < part.count; from += wordsAtOnce) {
      const count = Math.min(wordsAtOnce, part.count - from);
      const ids = Array.from({ length: count }, (_unused, at) => part.first + from + at);
      await writeWords(sql, accountId, ids);
    }
    filled.push(part);
  }
  await sql`vacuum analyze requests, events, request_words`;
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  say(`  ${each * payers} requests with their words stored in ${seconds} s`);
  return filled;
}

/** The cookie of somebody who owns the account. */
async function signedIn(sql: Sql): Promise<string> {
  const [owner] = await sql<{ user_id: number }[]>`
    select user_id from memberships where account_id = ${accountId} and role = 'owner' limit 1`;
  if (!owner) throw new Void('The account has no owner.');
  const id = await reserveIds(sql, 'record_ids', 1);
  const browser = { address: '127.0.0.1', userAgent: 'recaudo bench' };
  const session = { id, userId: owner.user_id, browser, factorDue: false };
  return `recaudo_session=${await openSession(sql, session, wallClock.now())}`;
}

/** Bytes of an answer as they go over the wire to a browser. */
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

/** The pages of an office, each asked for evenly; their rows are those of the fullest account. */
const pagesOf = (id: number): Record<string, string> => ({
  home: '',
  requests: '/requests',
  'requests.search': '/requests?q=socia7',
  'requests.rare': '/requests?q=contract-9+socia42',
  'requests.state': '/requests?state=pending',
  request: `/requests/${id}`,
  mandates: '/mandates',
  debits: '/debits',
  qr: '/qr',
  money: '/money',
  reports: '/reports',
  imports: '/imports',
  integrations: '/integrations',
  log: '/log',
  settings: '/settings',
});

/** Each page of the portal with a million requests stored: its 95th percentile. */
export const portal: Case = async (bench) => {
  const { settings, cleanup } = bench;
  const lab = await openLab(cleanup);
  // All calls come from one address here, as fast as a page allows.
  const environment = { STRANGER_RATE: '0' };
  const { origin } = await startService({ dataDir: lab.dataDir, cleanup, environment });
  const filled = await fillRequests(bench, lab.sql);
  await fillDay(lab.sql, 10_000, dayOf(wallClock.now()).subtract({ days: 1 }));
  const cookie = await signedIn(lab.sql);
  const generator = startGenerator(bench);
  const results: Result[] = [];
  for (const [name, path] of Object.entries(pagesOf(filled[50]?.first ?? 0))) {
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
    results.push(limit(`portal.${name}.p95`, figure(p95, 'ms'), mostPageMs));
  }
  const kilobytes = (await wireBytes(`${origin}/portal/${accountId}`, cookie)) / 1000;
  return [...results, limit('portal.home.bytes', figure([kilobytes], 'kB'), mostHomeKilobytes)];
};
