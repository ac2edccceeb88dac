import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { correct } from '../harness/money.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let eva: Office;
let ana: Office;
let reader: Office;
const home = '/portal/operator/payouts';
let given = 0;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', PAYOUT_APPROVAL_ABOVE: '1000' });
  browser = await launchBrowser();
  eva = await signIn(service, 'operator');
  ana = await signIn(service, 'operator');
  reader = await signIn(service, 'operator_read_only');
  await service.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Makes an amount available to the account. */
async function give(pesos: number): Promise<void> {
  given += 1;
  await correct(service.service.parts.base)({
    accountId: testAccount,
    amount: centavos(pesos * 100),
    reference: `give-${given}`,
    note: 'n',
    actor: testOperator,
  });
}

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
const payouts = (reference: string) =>
  service.sql<{ id: number; amount: number; state: string }[]>`
    select id, amount, state from payouts where reference = ${reference}`;

async function proposed(reference: string): Promise<number> {
  const [row] = await service.sql<{ id: number }[]>`
    select id from proposals where reference = ${reference} and kind = 'payout'
    order by id desc limit 1`;
  return row?.id ?? 0;
}

const order = (office: Office, reference: string) =>
  office.post(`${home}/propose`, { reference, accounts: testAccount });

test('lets one person pay out up to the limit, once per reference', async () => {
  await give(900);
  expect((await order(eva, 'small')).text).toContain('Pagado');
  expect((await order(eva, 'small')).text).toContain('Ya se había pagado');
  expect((await payouts('small')).map(({ amount }) => amount)).toEqual([90_000]);
});

test('requires another person’s approval above the limit, never the proposer’s', async () => {
  await give(5_000);
  expect((await order(eva, 'large')).text).toContain('Espera a otra persona');
  await order(eva, 'large');
  await order(ana, 'large');
  const id = await proposed('large');
  expect(await payouts('large')).toEqual([]);
  const at = `${home}/proposals/${id}`;
  expect((await eva.get(at)).text).toContain('La propusiste vos');
  expect((await eva.post(`${at}/approve`)).status).toBe(403);
  expect(await payouts('large')).toEqual([]);
  // The database refuses it too, whatever a process assumes.
  await expect(
    service.sql`update proposals set state = 'approved', decided_by = proposed_by,
      decided_at = proposed_at where id = ${id}`,
  ).rejects.toThrow(/check/);

  const answers = await Promise.all([
    ana.post(`${at}/approve`),
    ana.post(`${at}/approve`),
    ana.post(`${at}/reject`, { reason: 'no' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409]);
  const rejected = (await ana.get(at)).text.includes('Rechazada');
  expect((await payouts('large')).length).toBe(rejected ? 0 : 1);
  if (rejected) {
    await order(eva, 'large');
    const again = `${home}/proposals/${await proposed('large')}`;
    expect((await ana.post(`${again}/approve`)).status).toBe(303);
  }
  expect((await payouts('large')).map(({ amount }) => amount)).toEqual([500_000]);
});

test('refuses to approve a payout above the current balance, or after the CBU changed', async () => {
  await give(3_000);
  await order(eva, 'late');
  const at = `${home}/proposals/${await proposed('late')}`;
  await give(-2_500);
  expect((await ana.post(`${at}/approve`)).status).toBe(409);
  await give(2_500);
  await service.sql`
    update accounts set payout_cbu = '0110599500000123456784' where id = ${testAccount}`;
  expect((await ana.post(`${at}/approve`)).status).toBe(409);
  await service.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
  expect((await ana.post(`${at}/reject`, { reason: ' ' })).status).toBe(400);
  expect((await ana.post(`${at}/reject`, { reason: 'otro CBU' })).status).toBe(303);
  expect((await ana.post(`${at}/approve`)).status).toBe(409);
  expect(await payouts('late')).toEqual([]);
  await give(-3_000);
});

test('puts a payout in one bank file, with identical bytes at every download', async () => {
  await Promise.all(
    [eva, ana, eva].map((office) => office.post(`${home}/files`, { reference: 'large' })),
  );
  const files = await service.sql<{ id: number }[]>`
    select id from payout_files where reference = 'large'`;
  expect(files.length).toBe(1);
  const at = `${home}/files/${files[0]?.id}`;
  expect((await eva.get(at)).status).toBe(404);
  const [one, two] = [await eva.post(at), await ana.post(at)];
  expect(one.text).toBe(two.text);
  expect(one.text).toContain('2850590940090418135201,5000.00');
  expect(one.headers.get('content-disposition')).toContain(`payouts-large-${files[0]?.id}.csv`);
  expect((await reader.post(at)).status).toBe(403);
  const told = await service.sql<{ actor: string }[]>`
    select actor from operator_events
    where type = 'payout_file.handed_over' and entity_id = ${String(files[0]?.id)} order by id`;
  expect(told.map(({ actor }) => actor)).toEqual([eva, ana].map(({ userId }) => `user:${userId}`));
});

test('puts the payouts of all references in one file, once for concurrent calls', async () => {
  for (const reference of ['uno/1', 'dos', 'tres']) {
    await give(2_000);
    await order(eva, reference);
    const at = `${home}/proposals/${await proposed(reference)}`;
    expect((await ana.post(`${at}/approve`)).status).toBe(303);
  }
  const shown = await eva.get(home);
  expect(shown.text).toContain('Hacer un solo archivo con todos');
  expect(shown.text).toContain('Cooperativa de Demostración');
  const reading = await reader.get(home);
  expect(reading.text).not.toContain('Hacer un solo archivo');
  await Promise.all([eva, ana, eva].map((office) => office.post(`${home}/files/all`)));
  const files = await service.sql<{ id: number; payouts: number; total: number }[]>`
    select id, payouts, total from payout_files where reference like 'todos-%'`;
  expect(files).toHaveLength(1);
  const { text, headers } = await eva.post(`${home}/files/${files[0]?.id}`);
  for (const reference of ['uno/1', 'dos', 'tres']) expect(text).toContain(`,${reference},`);
  expect(text.trim().split('\r\n')).toHaveLength(1 + (files[0]?.payouts ?? 0));
  expect(headers.get('content-disposition')).toMatch(/payouts-todos-\d{4}-\d\d-\d\d-\d+\.csv/);
  expect((await eva.get(home)).text).toContain('No hay pagos por transferir');
  expect((await reader.post(`${home}/files/all`)).status).toBe(403);
  expect(await doing('command', () => auditAccount(service.sql, operatorBooks))).toEqual([]);
});

test('refuses a faulty, unknown or unauthorized proposal', async () => {
  const blank = await eva.post(`${home}/propose`, { reference: '', accounts: testAccount });
  expect(blank.status).toBe(400);
  expect((await eva.post(`${home}/propose`, { reference: 'x' })).status).toBe(400);
  const nobody = await eva.post(`${home}/propose`, { reference: 'x', accounts: 'FFFFFFFF' });
  expect(nobody.text).toContain('No se hizo');
  for (const path of ['0', 'x', '999999999999']) {
    expect((await eva.get(`${home}/proposals/${path}`)).status).toBe(404);
    expect((await eva.post(`${home}/proposals/${path}/approve`)).status).toBe(404);
  }
  expect((await reader.post(`${home}/propose`, { reference: 'x' })).status).toBe(403);
});

test('leaves a clean audit, and renders accessible pages', async () => {
  const faults = await doing('command', () => auditAccount(service.sql, testAccount));
  expect(faults).toEqual([]);
  await give(2_000);
  await order(eva, 'shown');
  for (const [name, path] of [
    ['operator-payouts', home],
    ['operator-payouts-new', `${home}/new`],
    ['operator-payouts-one', `${home}/proposals/${await proposed('shown')}`],
  ] as const) {
    await lookAtPage(browser, { origin: service.origin, office: ana, path }, name);
  }
});

test('pages proposals and files independently, each item once', async () => {
  await service.sql`
    insert into proposals (account_id, id, kind, reference, amount, terms, state, proposed_by,
      proposed_at, decided_by, decided_at, reason)
    select ${testAccount}, 9000000 + i, 'payout', 'old-' || i, i, '{}', 'rejected',
      ${eva.userId}, now(), ${ana.userId}, now(), 'r' from generate_series(1, 45) i`;
  await service.sql`
    insert into payout_files (id, reference, payouts, total, made_at)
    select 9000000 + i, 'old-' || i, 1, 100, now() from generate_series(1, 45) i`;
  const files = await service.sql<{ id: number }[]>`select id from payout_files order by id desc`;
  const seen = await paged(home, /payouts\/files\/(\d+)"/g, 'files');
  expect(seen).toEqual(files.map(({ id }) => String(id)));
  const proposals = await service.sql<{ id: number }[]>`
    select id from proposals where kind = 'payout' order by id desc`;
  const { text } = await eva.get(`${home}?files=9000010`);
  expect(text).toMatch(/behind=\d+&amp;files=9000010/);
  const found = await paged(`${home}?files=9000010`, /proposals\/(\d+)"/g, 'latest');
  expect(found).toEqual(proposals.map(({ id }) => String(id)));
});
