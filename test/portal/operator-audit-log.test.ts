import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccount, setAccount, setConnectorSettings } from '../../src/accounts/index.ts';
import { readLog } from '../../src/events/http.ts';
import { setFees, standardTerms } from '../../src/money/fees/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { lookAtPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let operator: Office;
const home = '/portal/operator/audit-log';
const other = 'B1B2C3D4';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  await createAccount(acting, { id: other, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  await setAccount(acting)({ accountId: other, returnsFees: true, cardCutDay: 12 });
  await setFees(base)({
    accountId: other,
    channel: 'qr',
    from: base.clocks.business.today(),
    actor: testOperator,
    terms: { ...standardTerms.qr, percentagePpm: 12_500 },
  });
  const page = `/portal/operator/accounts/${other}`;
  await operator.post(`${page}/suspend`, { reason: 'por las dudas' });
  await operator.post(`${page}/reopen`, { reason: 'aclarado <b>' });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Returns the acts on a page of the log, as text. */
async function actsIn(asked: Record<string, string>): Promise<string[]> {
  const { status, text } = await operator.get(`${home}?${new URLSearchParams(asked)}`);
  expect(status).toBe(200);
  const body = /<tbody.*?<\/tbody>/s.exec(text)?.[0] ?? '';
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '));
}

test('names each act’s actor, with values before and after', async () => {
  const acts = await actsIn({ account: other });
  expect(acts).toHaveLength(5);
  expect(acts[0]).toMatch(/Se reabrió la cuenta .*Test operator .*Motivo: aclarado &lt;b>/);
  expect(acts[0]).toMatch(/Estado: antes suspendida → después activa/);
  expect(acts[1]).toMatch(/Se suspendió la cuenta .*Estado: antes activa → después suspendida/);
  expect(acts[2]).toMatch(/Cambiaron comisiones .*Porcentaje: antes 0.8 → después 1.25/);
  expect(acts[3]).toMatch(/Reintegra comisiones: antes no → después sí/);
  expect(acts[3]).toMatch(/Día de corte de tarjetas: antes – → después 12/);
  expect(acts[3]).not.toMatch(/CBU/);
  expect(acts[4]).toMatch(/Se creó la cuenta .*por consola/);
});

test('shows connector settings by name only, even in old events', async () => {
  const { base } = service.service.parts;
  const accountId = 'C1B2C3D4';
  const acting = { ...base, actor: testOperator };
  await createAccount(acting, {
    id: accountId,
    name: 'Tercera',
    cuit: '30999999995',
    city: 'Jujuy',
  });
  const set = setConnectorSettings(acting);
  await set({
    accountId,
    connector: 'payway',
    settings: { merchant: 'zz-mine', token: 'zz-token-1' },
  });
  await set({
    accountId,
    connector: 'payway',
    settings: { merchant: 'zz-mine', token: 'zz-token-2' },
  });
  const stored = await service.sql<{ data: string }[]>`
    select data::text as data from events
    where account_id = ${accountId} and type = 'account.changed'`;
  expect(stored).toHaveLength(2);
  for (const { data } of stored) expect(data).not.toMatch(/zz-/);
  const reader = await signIn(service, 'operator_read_only');
  const { text } = await reader.get(`${home}?account=${accountId}`);
  expect(text).not.toMatch(/zz-/);
  const acts = await actsIn({ account: accountId });
  expect(acts[0]).toMatch(/Datos que cambiaron: token/);
  expect(acts[1]).toMatch(/Datos que cambiaron: merchant, token/);
});

test('finds acts by actor, type and day, alone and combined', async () => {
  const mine = await actsIn({ who: operator.email.toUpperCase(), account: other });
  expect(mine).toHaveLength(2);
  expect(await actsIn({ who: `user:${operator.userId}`, account: other })).toEqual(mine);
  expect(await actsIn({ who: 'nadie@example.com' })).toEqual([]);
  expect(await actsIn({ who: "'; drop table events" })).toEqual([]);
  expect(await actsIn({ type: 'account.suspended' })).toHaveLength(1);
  expect(await actsIn({ type: 'account.suspended', account: testAccount })).toEqual([]);
  const today = service.service.parts.clocks.business.today();
  const [from, to] = [today.toString(), today.subtract({ days: 1 }).toString()];
  expect(await actsIn({ account: other, from })).toHaveLength(5);
  expect(await actsIn({ account: other, to })).toEqual([]);
});

test('reports an invalid day or incomplete object next to its field', async () => {
  for (const [field, asked] of [
    ['from', { from: '2026-02-31' }],
    ['to', { to: 'ayer' }],
    ['from', { from: '0000-01-01' }],
    ['number', { number: '5' }],
    ['number', { entity: 'payment_request', account: testAccount }],
  ] as const) {
    const query = new URLSearchParams(Object.entries(asked));
    const { status, text } = await operator.get(`${home}?${query}`);
    expect([field, status]).toEqual([field, 400]);
    expect(text).toContain(`href="#${field}"`);
  }
});

test('lists programs’ acts on a request in the request’s history, not in the log', async () => {
  const player = playerOf(service);
  const id = await player.create({ first_total: 100 });
  await player.pay(id, { channel: 'wire_transfer' });
  const all = await actsIn({ account: testAccount });
  expect(all.filter((act) => /Cobro \d/.test(act))).toEqual([]);
  const own = await actsIn({ account: testAccount, entity: 'payment_request', number: String(id) });
  expect(own.length).toBeGreaterThanOrEqual(2);
  expect(own.at(-1)).toMatch(/La clave .*Cobro/);
  const foreign = { account: other, entity: 'payment_request', number: String(id) };
  expect(await actsIn(foreign)).toEqual([]);
});

test('lists each act once across the log’s pages, even if others are added in between', async () => {
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  for (let no = 1; no <= 60; no += 1) {
    await setAccount(acting)({ accountId: testAccount, limits: { letters_a_day: no } });
  }
  const seen: string[] = [];
  let path = `${home}?account=${testAccount}&type=account.changed`;
  for (;;) {
    const { text } = await operator.get(path);
    seen.push(...[...text.matchAll(/<bdi>(\d+)<\/bdi><\/li>/g)].map(([, no = '']) => no));
    const next = /rel="next" href="([^"]+)"/.exec(text)?.[1];
    if (next === undefined) break;
    await setAccount(acting)({ accountId: testAccount, limits: { letters_a_minute: 7 } });
    path = next.replaceAll('&amp;', '&');
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => String(60 - index)));
  for (const behind of ['x', '2026-01-01~1', '~', '2026-01-01T00:00:00Z~99999999999999999']) {
    const { status } = await operator.get(`${home}?behind=${encodeURIComponent(behind)}`);
    expect([behind, status]).toEqual([behind, 200]);
  }
});

const none = { accountId: null, actor: null, type: null, from: null, before: null };

test.each([
  ['events_log_by_time', none],
  ['events_activity_of_account', { ...none, accountId: other }],
  ['events_log_by_actor', { ...none, actor: 'user:1' }],
  ['events_log_by_type', { ...none, type: 'account.changed' }],
])('reads a page of the log through the index %s', async (index, filters) => {
  const told: string[] = [];
  await service.sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_sort = off`;
    await tx`set local enable_bitmapscan = off`;
    const explained = new Proxy(tx, {
      apply: (target, self, [first, ...rest]: [TemplateStringsArray, ...unknown[]]) => {
        if (!first[0]?.trimStart().startsWith('select *')) {
          return Reflect.apply(target as never, self, [first, ...rest]);
        }
        const strings = [`explain ${first[0]}`, ...first.slice(1)];
        const raw = Object.assign(strings, { raw: strings });
        return Reflect.apply(target as never, self, [raw, ...rest]);
      },
    });
    const rows = await readLog(explained, filters, { behind: null, limit: 51 });
    told.push(...rows.map((row) => JSON.stringify(row)));
  });
  expect(told.join('\n')).toContain(index);
});

test('links an act to its account’s page, for read-only users too', async () => {
  const reader = await signIn(service, 'operator_read_only');
  const { status, text } = await reader.get(`${home}?account=${other}`);
  expect(status).toBe(200);
  expect(text).toContain(`/portal/operator/accounts/${other}`);
});

test.each([
  ['', 'operator-audit-log'],
  [`?account=${other}`, 'operator-audit-log-account'],
  ['?type=payout.sent', 'operator-audit-log-none'],
])('renders the log%s accessibly', async (query, name) => {
  const path = home + query;
  await lookAtPage(browser, { origin: service.origin, office: operator, path }, name);
});
