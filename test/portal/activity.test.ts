import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setAccount, setConnectorSettings } from '../../src/accounts/index.ts';
import { appendEvents } from '../../src/events/index.ts';
import { type Actor, system } from '../../src/platform/actor.ts';
import { activity, shownChanges, typesOf } from '../../src/portal/activity/types.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { lookAtPage } from './look.ts';
import { typesOfCode } from './types-of-code.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let owner: Office;
const home = `/portal/${testAccount}`;
const log = `${home}/settings/activity`;

/** Entities of the operator or of the service. */
const hiddenEntities = [
  ...['alarm', 'calendar_day', 'card_bins', 'clock', 'connector', 'demo', 'late_release', 'mail'],
  ...[
    'payout_file',
    'rail_file',
    'rail_upload',
    'seal_key',
    'service_key',
    'settlement',
    'suspense',
  ],
  ...['taxpayer_rates', 'transfer_account', 'user', 'vault_key'],
];
/** Acts of payers, banks and programs on entities whose other acts are visible. */
const hiddenActs = ['opened', 'card_updated', 'card_closed', 'card_expiring'];

const isHidden = (type: string): boolean => {
  const [entity = '', act = ''] = type.split('.');
  return hiddenEntities.includes(entity) || hiddenActs.includes(act);
};

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Returns the table rows of a page, as text. */
const rowsIn = (text: string): string[] =>
  (/<tbody.*?<\/tbody>/s.exec(text)?.[0] ?? '')
    .split('</tr>')
    .slice(0, -1)
    .map((row) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '));

async function actsIn(asked: Record<string, string> = {}): Promise<string[]> {
  const { status, text } = await owner.get(`${log}?${new URLSearchParams(asked)}`);
  expect(status).toBe(200);
  return rowsIn(text);
}

const csvLines = (text: string): string[] => text.trim().split('\r\n').slice(1);

/** Records one event of each type in an account. */
async function recordEach(
  accountId: string,
  types: readonly string[],
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  const { base } = service.service.parts;
  const ids = await base.recordIds.take(types.length);
  await appendEvents(
    base.sql,
    types.map((type, index) => ({
      accountId,
      entity: type.split('.')[0] ?? '',
      entityId: String(ids[index]),
      version: 1,
      id: ids[index] ?? 0,
      type,
      at: base.clocks.business.now(),
      actor,
      data,
    })),
  );
}

test('puts each act of the code in either the visible or the hidden list', async () => {
  const labels = JSON.parse(
    await readFile(path.join(import.meta.dirname, '../../src/portal/acts/labels.en.json'), 'utf8'),
  );
  const visible = new Set(typesOf(null));
  const types = new Set([...(await typesOfCode()), ...Object.keys(labels.acts)]);
  expect([...types].filter((type) => visible.has(type) === isHidden(type))).toEqual([]);
  // Each label of an act must belong to an act that exists.
  const acts = new Set(Object.values(activity).flatMap((one) => one.acts));
  const unknown = Object.keys(labels.happenings).filter(
    (act) => !acts.has(act) && !hiddenActs.includes(act) && act !== 'noted',
  );
  expect(unknown).toEqual([]);
});

test('shows each visible type once, and no hidden types, free texts or unlisted fields', async () => {
  const { id } = await anotherAccount(service);
  const theirs = await signIn(service, 'owner', { accountId: id });
  const visible = typesOf(null);
  const hidden = [...(await typesOfCode())].filter((type) => !visible.includes(type));
  const secret = 'zz-secreto';
  const data = {
    ...{ reason: secret, note: secret, comment: secret, state_comment: secret, user_id: 31_337 },
    ...{ external_reference: secret, payer: secret, email: secret, file_name: secret },
    ...{ kind: 'refund', before: { reason: secret, note: secret } },
  };
  const actor: Actor = { kind: 'user', id: theirs.userId };
  await recordEach(id, [...visible, ...hidden], actor, data);
  await recordEach(id, ['account.changed'], actor, { ...data, connector: 'payway' });
  await recordEach(id, ['proposal.made'], testOperator, data);
  await recordEach(id, ['proposal.made'], actor, { ...data, kind: 'correction' });
  const path = `/portal/${id}/settings/activity`;
  const { text } = await theirs.get(`${path}/export.csv?who=user:${theirs.userId}`);
  expect(csvLines(text)).toHaveLength(visible.length);
  expect(text).not.toMatch(/zz-|31337/);
  const english = await theirs.get(`${path}?lang=en&entity=webhook`);
  expect(rowsIn(english.text)).toHaveLength(activity.webhook?.acts.length ?? 0);
  expect(csvLines((await theirs.get(`${path}/export.csv?who=operator`)).text).join()).not.toMatch(
    /propuso/,
  );
});

test('names users and keys, shows any operator as "the operator", and omits reasons', async () => {
  const operator = await signIn(service, 'operator');
  const { base } = service.service.parts;
  const page = `/portal/operator/accounts/${testAccount}`;
  await operator.post(`${page}/suspend`, { reason: 'zz-por las dudas' });
  await operator.post(`${page}/reopen`, { reason: 'zz-aclarado' });
  await setAccount({ ...base, actor: testOperator })({ accountId: testAccount, cardCutDay: 12 });
  await setConnectorSettings({ ...base, actor: testOperator })({
    accountId: testAccount,
    connector: 'payway',
    settings: { merchant: 'zz-mine' },
  });
  const { body } = await service.call('POST', '/adhesion', { body: adhesionBody() });
  await service.call('PUT', `/adhesion/${body.id}/cancel`, { body: {} });
  const { text } = await owner.get(log);
  const acts = rowsIn(text);
  expect(acts[0]).toMatch(/Adhesión de CBU: se canceló .* La clave demo/);
  expect(acts[1]).toMatch(/Cambió la configuración .* El operador .*Día de corte.*después 12/);
  expect(acts[2]).toMatch(/Se reabrió la cuenta .* El operador .*suspendida → después activa/);
  expect(acts[3]).toMatch(/Se suspendió la cuenta .* El operador/);
  expect(acts.join()).toMatch(/Se agregó un usuario .*Test owner/);
  expect(text).not.toMatch(/zz-|Test operator|consola|payway/);
  expect(await actsIn({ who: 'operator', entity: 'account' })).toEqual(acts.slice(1, 4));
  const key = /who=key%3A\d+/.exec(text)?.[0];
  expect(rowsIn((await owner.get(`${log}?${key}`)).text)).toEqual([acts[0]]);
  expect(await actsIn({ who: `user:${operator.userId}` })).toEqual([]);
});

test('ignores malformed filters and cursors, and finds nothing outside the chosen days', async () => {
  const all = await actsIn();
  expect(all.length).toBeGreaterThan(3);
  for (const asked of [
    { who: "user:'" },
    { who: 'user:99999999999999999999' },
    { entity: 'suspense' },
    { from: '2026-02-31', to: 'ayer' },
    { behind: 'x' },
    { behind: '1_99999999999999999' },
    { behind: '99999999999999999_1' },
  ]) {
    expect([asked, (await actsIn(asked)).length]).toEqual([asked, all.length]);
  }
  const today = service.service.parts.clocks.business.today();
  expect(await actsIn({ from: today.toString(), to: today.toString() })).toHaveLength(all.length);
  expect(await actsIn({ to: today.subtract({ days: 1 }).toString() })).toEqual([]);
  expect(await actsIn({ from: today.add({ days: 1 }).toString() })).toEqual([]);
});

test('shows the activity log only to owners, and hides it from other accounts', async () => {
  const { id } = await anotherAccount(service);
  const theirs = await signIn(service, 'owner', { accountId: id });
  for (const file of ['', '/export.csv', '/export.xlsx']) {
    expect((await theirs.get(log + file)).status).toBe(404);
    for (const role of ['administrator', 'collections', 'treasury', 'read_only'] as const) {
      const { status } = await (await signIn(service, role)).get(log + file);
      expect([role, status]).toEqual([role, 403]);
    }
  }
  const { text } = await theirs.get(`/portal/${id}/settings/activity`);
  expect(rowsIn(text).join()).not.toMatch(/suspendió|test@|Test administrator/);
});

test('links each act to a page that exists', async () => {
  const player = playerOf(service);
  const paid = await player.create();
  await player.pay(paid, { channel: 'credit_card' });
  const part = { refund: { amount: 100 } };
  await service.call('POST', `/payment-request/${paid}/refund`, { body: part });
  const hooks = [];
  for (const url of ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b']) {
    const body = { webhook: { url, event_types: ['payment_request.paid'] } };
    hooks.push((await service.call('POST', '/webhook', { body })).body.id);
  }
  await service.call('DELETE', `/webhook/${hooks[0]}`);
  const invited = { email: 'socia@example.com', name: 'zz-Socia', role: 'collections', lang: 'es' };
  await owner.post(`${home}/settings/users/new`, invited);
  const sheet = { name: 's.csv', content: 'Socio;Concepto;Vencimiento;Importe\nAna;x;1/1/2099;1' };
  const { location } = await owner.send(`${home}/imports`, sheet, { kind: 'payment_request' });
  await owner.post(`${location}/discard`);
  const { text } = await owner.get(log);
  const links = [...(/<tbody.*<\/tbody>/s.exec(text)?.[0] ?? '').matchAll(/href="([^"?]+)"/g)];
  const paths = new Set(links.map(([, href = '']) => href));
  for (const end of [`/requests/${paid}`, `/webhooks/${hooks[1]}`, '/webhooks', '/integrations']) {
    expect([...paths]).toContain(home + end);
  }
  for (const href of paths) expect([href, (await owner.get(href)).status]).toEqual([href, 200]);
  // Until the person accepts, the account knows only the address that it invited.
  expect(text).toContain('socia@example.com');
  expect(text).not.toContain('zz-Socia');
});

test('never shows a payer’s data, before or after an erasure', async () => {
  const player = playerOf(service);
  const fields = { payer_name: 'zz-Zoraida', external_reference: 'zz-ref' };
  const id = await player.create(fields);
  await owner.post(`${home}/requests/${id}/withdraw`, {});
  await recordEach(testAccount, ['payment_request.payer_erased'], testOperator, { reason: 'zz-1' });
  const acts = await actsIn({ entity: 'payment_request' });
  expect(acts[0]).toMatch(/se suprimieron los datos del pagador .* El operador/);
  expect(acts[1]).toMatch(/Cobro: se retiró .*Test owner/);
  const { text } = await owner.get(`${log}/export.csv`);
  expect(acts.join() + text).not.toMatch(/zz-/);
});

test('lists each act once across pages while others are added, and searches older acts in parts', async () => {
  const { id } = await anotherAccount(service);
  const theirs = await signIn(service, 'owner', { accountId: id });
  const actor: Actor = { kind: 'user', id: theirs.userId };
  await service.sql`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select ${id}, 'import', (1000000 + n)::text, 1, n, 'import.uploaded',
      '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', ${`user:${theirs.userId}`}, '{}'
    from generate_series(1, 10020) n`;
  await service.sql`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    values (${id}, 'webhook', '1', 1, 20000, 'webhook.created', '2025-12-31T00:00:00Z', 'system', '{}')`;
  const start = `/portal/${id}/settings/activity`;
  const walk = async (first: string, pages: number): Promise<string[][]> => {
    const found: string[][] = [];
    for (let at: string | undefined = first; at !== undefined && found.length < pages; ) {
      const { text } = await theirs.get(at);
      found.push(rowsIn(text));
      at = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      if (found.length === 1) await recordEach(id, ['import.uploaded'], actor, {});
    }
    return found;
  };
  const numbers = (await walk(`${start}?entity=import&to=2026-01-01`, 5)).flat();
  expect(numbers.map((row) => Number(/Emisión masiva (\d+)/.exec(row)?.[1]))).toEqual(
    Array.from({ length: 250 }, (_, index) => 1_010_020 - index),
  );
  const parts = await walk(`${start}?entity=webhook&to=2026-01-01`, 9);
  expect(parts.map((rows) => rows.length)).toEqual([0, 0, 1]);
  const { text } = await theirs.get(`${start}/export.csv?entity=webhook`);
  expect(csvLines(text)).toHaveLength(1);
});

test('masks CBUs and omits fields that are not listed', () => {
  const data = { payout_cbu: '2850590940090418135201', secret: 'x', before: { payout_cbu: null } };
  expect(shownChanges({ entity: 'account', data })).toEqual([
    { name: 'payout_cbu', before: '–', after: '…5201' },
  ]);
  expect(shownChanges({ entity: 'suspense', data })).toEqual([]);
});

test.each([
  ['', 'activity'],
  ['?entity=qr_batch', 'activity-none'],
])('renders the log%s accessibly', async (query, name) => {
  await recordEach(testAccount, ['webhook.paused'], system, { url: 'https://example.com/a' });
  const at = { origin: service.origin, office: owner, path: log + query };
  await lookAtPage(browser, at, name);
});
