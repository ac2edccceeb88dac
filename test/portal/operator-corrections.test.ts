import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { lookAtPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let eva: Office;
let ana: Office;
const home = '/portal/operator/corrections';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', CORRECTION_APPROVAL_ABOVE: '100' });
  browser = await launchBrowser();
  eva = await signIn(service, 'operator');
  ana = await signIn(service, 'operator');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const fields = (over: Record<string, string> = {}) => ({
  account: testAccount,
  amount: '1.430,50',
  reference: 'c-1',
  note: 'Comisión cobrada de más',
  ...over,
});
/** Returns the ids in a list's links of one kind, from its first page to its last. */
async function paged(start: string, link: RegExp, name: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = start; next !== undefined; ) {
    const { status, text }: Shown = await eva.get(next);
    expect(status).toBe(200);
    const [part = ''] = text.slice(text.lastIndexOf(`id="${name}"`)).split('</section>');
    seen.push(...[...part.matchAll(link)].map(([, id = '']) => id));
    next = /rel="next" href="([^"#]+)/.exec(part)?.[1]?.replaceAll('&amp;', '&');
  }
  return seen;
}
const available = async (): Promise<number> => (await playerOf(service).balances())[0];

test('applies a correction once another person approves it, and shows the balance before and after', async () => {
  const made = await eva.post(home, fields());
  expect(made.status).toBe(303);
  const at = made.location ?? '';
  expect((await eva.post(home, fields())).location).toBe(at);
  expect(await available()).toBe(0);
  expect((await ana.get(at)).text).toContain('Disponible después');
  expect((await eva.post(`${at}/approve`)).status).toBe(403);
  const answers = await Promise.all([ana.post(`${at}/approve`), ana.post(`${at}/approve`)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect(await available()).toBe(1430.5);
  const { text } = await eva.get(at);
  expect(text).toContain('Aprobada');
  expect(text.replaceAll('\u00a0', ' ')).toContain('$ 1.430,50');
  const events = await service.sql<{ actor: string }[]>`
    select actor from events where type in ('proposal.made', 'proposal.approved')
    order by version`;
  expect(events.map(({ actor }) => actor)).toEqual([`user:${eva.userId}`, `user:${ana.userId}`]);
});

test('lets one person debit below the limit, once per reference', async () => {
  const { status, text } = await eva.post(home, fields({ amount: '-30,50', reference: 'c-2' }));
  expect([status, text.includes('La corrección está hecha')]).toEqual([200, true]);
  await eva.post(home, fields({ amount: '-30,50', reference: 'c-2' }));
  expect(await available()).toBe(1400);
  const other = await eva.post(home, fields({ amount: '-31', reference: 'c-2' }));
  expect(other.status).toBe(409);
});

test('refuses a faulty correction, and stores nothing', async () => {
  for (const wrong of [
    { amount: 'x' },
    { amount: '0' },
    { account: '' },
    { reference: '' },
    { note: 'dos\nlíneas' },
    { reference: 'x'.repeat(65) },
  ]) {
    const { status } = await eva.post(home, fields({ reference: 'w', ...wrong }));
    expect([wrong, status]).toEqual([wrong, 400]);
  }
  const nobody = await eva.post(home, fields({ account: 'FFFFFFFF', reference: 'w' }));
  expect(nobody.status).toBe(404);
  const rows = await service.sql`select 1 from proposals where reference = 'w'`;
  expect(rows.length).toBe(0);
});

test('allows a rejected correction to be proposed again', async () => {
  const made = await eva.post(home, fields({ amount: '500', reference: 'c-3' }));
  expect((await eva.post(`${made.location}/reject`, { reason: 'me equivoqué' })).status).toBe(303);
  expect((await ana.post(`${made.location}/approve`)).status).toBe(409);
  const again = await eva.post(home, fields({ amount: '600', reference: 'c-3' }));
  expect((await ana.post(`${again.location}/approve`)).status).toBe(303);
  expect(await available()).toBe(2000);
});

test('leaves a clean audit, and renders accessible pages', async () => {
  const faults = await doing('command', () => auditAccount(service.sql, testAccount));
  expect(faults).toEqual([]);
  const made = await eva.post(home, fields({ amount: '-700', reference: 'c-4' }));
  for (const [name, path] of [
    ['operator-corrections', home],
    ['operator-corrections-one', made.location ?? ''],
  ] as const) {
    await lookAtPage(browser, { origin: service.origin, office: ana, path }, name);
  }
});

test('shows each proposed correction once across pages, and ignores a made-up cursor', async () => {
  await service.sql`
    insert into proposals (account_id, id, kind, reference, amount, terms, state, proposed_by,
      proposed_at, decided_by, decided_at, reason)
    select ${testAccount}, 9000000 + i, 'correction', 'old-' || i, i, '{"note":"n"}', 'rejected',
      ${eva.userId}, now(), ${ana.userId}, now(), 'r' from generate_series(1, 45) i`;
  const all = await service.sql<{ id: number }[]>`
    select id from proposals where kind = 'correction' order by id desc`;
  const seen = await paged(home, /proposals\/(\d+)"/g, 'latest');
  expect(seen).toEqual(all.map(({ id }) => String(id)));
  for (const behind of ['x', '-1', '0', '99999999999999999999', "1'"]) {
    const { status } = await eva.get(`${home}?behind=${encodeURIComponent(behind)}`);
    expect([behind, status]).toEqual([behind, 200]);
  }
  await lookAtPage(
    browser,
    { origin: service.origin, office: eva, path: home },
    'corrections-many',
  );
});
