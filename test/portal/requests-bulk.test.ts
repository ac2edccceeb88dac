import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let office: Office;
const list = `/portal/${testAccount}/requests`;
const [withdraw, resend] = [`${list}/bulk/withdraw`, `${list}/bulk/resend`];
const stranger = 'B1B2C3D4';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  office = await signIn(service, 'collections');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Creates requests of one payer, with amounts a peso apart. */
async function ofPayer(payer: string, count: number, more: object = {}): Promise<number[]> {
  const ids = [];
  for (let no = 1; no <= count; no += 1) {
    ids.push(
      await player.create({
        payer_name: payer,
        first_total: 100 + no,
        payer_email: `${payer.toLowerCase()}${no}@example.com`,
        ...more,
      }),
    );
  }
  return ids;
}

const idsIn = ({ text }: Shown): string[] =>
  [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id);

const copiesOf = async (ids: readonly number[]): Promise<number> => {
  const rows = await service.sql`
    select from payer_mails where copy > 0 and request_id = any(${[...ids]}::bigint[])`;
  return rows.length;
};

const statesOf = async (ids: readonly number[]): Promise<string[]> => {
  const all = await Promise.all(ids.map((id) => player.get(id)));
  return all.map(({ state }) => state);
};

test('withdraws the requests that a filter finds, after a confirmation with count and sum', async () => {
  const ids = await ofPayer('Retirada', 3);
  const [paid = 0] = await ofPayer('Retirada', 1);
  expect((await player.pay(paid, { channel: 'credit_card' })).status).toBe(200);
  const at = { origin: service.origin, office, path: `${list}?q=retirada` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Retirar estos cobros' }).click();
  expect(await page.locator('main').innerText()).toMatch(/3 cobros pendientes, \$.306,00 en total/);
  await page.getByRole('button', { name: 'Sí, retirar 3 cobros' }).click();
  expect(await page.locator('main').innerText()).toMatch(/Se retiraron 3 cobros: \$.306,00/);
  await page.getByRole('link', { name: 'Volver a la lista' }).click();
  expect(new URL(page.url()).search).toBe('?q=retirada');
  await page.context().close();
  expect(await statesOf([...ids, paid])).toEqual(['expired', 'expired', 'expired', 'paid']);
  const { text } = await office.get(`${withdraw}?q=retirada`);
  expect(text).toContain('Ninguno de estos cobros se puede retirar');
  expect(idsIn({ text } as Shown)).toEqual([]);
});

test('withdraws each request once, even concurrently, and says why one was left out', async () => {
  const ids = await ofPayer('Doble', 4);
  const form = await office.get(`${withdraw}?q=doble`);
  const id = idsIn(form);
  expect(id.map(Number).toSorted()).toEqual(ids.toSorted());
  // Paid between the confirmation and its answer.
  const [paid = 0] = ids;
  expect((await player.pay(paid, { channel: 'wire_transfer' })).status).toBe(200);
  const answers = await Promise.all([1, 2].map(() => office.post(withdraw, { id })));
  answers.push(await office.post(withdraw, { id }));
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).toContain('Se retiraron 3 cobros');
    expect(text).toContain('Solo se retira un cobro que nadie pagó.');
  }
  for (const one of ids.slice(1)) expect(await player.events(one)).toHaveLength(2);
  expect(await player.faults()).toEqual([]);
});

test('counts only what it withdraws, and lists a request that expired meanwhile', async () => {
  await ofPayer('Vence', 1, { first_due_date: dayIn(service, 1) });
  await ofPayer('Vence', 1);
  const id = idsIn(await office.get(`${withdraw}?q=vence`));
  expect(id).toHaveLength(2);
  await player.move({ days: 2 });
  const { text } = await office.post(withdraw, { id });
  expect(text).toContain('Se retiró 1 cobro');
  expect(text).toContain('El cobro ya había vencido');
});

test('resends each request’s e-mail once a day, however often the form is sent', async () => {
  const ids = await ofPayer('Correo', 6);
  await ofPayer('Correo', 2, { payer_email: '' });
  const form = await office.get(`${resend}?q=correo`);
  expect(form.text).toContain('2 cobros no tienen correo');
  const id = idsIn(form);
  expect(id.map(Number).toSorted()).toEqual(ids.toSorted());
  // The first half alone, as if a crash had interrupted the resending.
  expect((await office.post(resend, { id: id.slice(0, 3) })).text).toContain('Salen 3 correos');
  expect(await copiesOf(ids)).toBe(3);
  const answers = await Promise.all([1, 2].map(() => office.post(resend, { id })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await copiesOf(ids)).toBe(6);
  const again = await office.post(resend, { id });
  expect(again.text).toContain('En las últimas 24 horas ya salió un correo por este cobro.');
  expect(await copiesOf(ids)).toBe(6);
  await player.move({ hours: 25 });
  expect((await office.post(resend, { id })).text).toContain('Salen 6 correos');
  // A user may resend a single e-mail at once: the limit of one a day is for bulk resending.
  await player.move({ minutes: 2 });
  expect((await office.post(`${list}/${ids[0]}/resend`)).status).toBe(303);
  expect(await copiesOf(ids)).toBe(13);
});

test('leaves out requests paid since the confirmation, and addresses that bounced', async () => {
  const ids = await ofPayer('Rebote', 3);
  const [paid = 0, bounced] = ids;
  const form = await office.get(`${resend}?q=rebote`);
  expect((await player.pay(paid, { channel: 'credit_card' })).status).toBe(200);
  await service.sql`
    insert into payer_mail_stops (account_id, address, reason, at, request_id)
    select account_id, lower(details->>'payer_email'), 'bounced', created_at, id
    from requests where account_id = ${testAccount} and id = ${bounced ?? 0}`;
  const done = await office.post(resend, { id: idsIn(form) });
  expect(done.text).toContain('Sale 1 correo');
  expect(done.text).toContain('El último correo a esta dirección no se pudo entregar.');
  expect(await copiesOf(ids)).toBe(1);
  expect(await service.sql`select from payer_mail_stops where reason = 'bounced'`).toHaveLength(1);
});

test('withdraws 200 requests at a time, and continues with the next ones', async () => {
  await ofPayer('Larga', 203, { payer_email: '' });
  const first = await office.get(`${withdraw}?q=larga&sort=amount`);
  expect(idsIn(first)).toHaveLength(200);
  expect(first.text).toContain('Son los primeros 200 de tu búsqueda');
  const next = /name="next_query" value="([^"]*)"/.exec(first.text)?.[1] ?? '';
  const fields = { query: '?q=larga', next_query: next.replaceAll('&amp;', '&') };
  const done = await office.post(withdraw, { id: idsIn(first), ...fields });
  expect(done.text).toContain('Se retiraron 200 cobros');
  const to =
    /<a class="button" href="([^"]*)"/.exec(done.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const last = await office.get(to);
  expect(idsIn(last)).toHaveLength(3);
  expect(last.text).not.toContain('next_query');
}, 120_000);

test('leaves other accounts’ requests alone, and refuses made-up forms', async () => {
  const ids = await ofPayer('Ajena', 2);
  const other = await signIn(service, 'owner', { accountId: stranger });
  const theirs = `/portal/${stranger}/requests/bulk`;
  for (const act of ['withdraw', 'resend']) {
    const answer = await other.post(`${theirs}/${act}`, { id: ids.map(String) });
    expect(answer.text).toContain('No hay un cobro con ese número.');
    expect(answer.text).not.toContain('Ajena');
    const many = Array.from({ length: 201 }, (_, no) => String(no + 1));
    for (const id of [[], many, ['0'], ['1 or true'], ['9'.repeat(16)]]) {
      expect((await office.post(`${list}/bulk/${act}`, { id })).status).toBe(400);
    }
  }
  expect(await statesOf(ids)).toEqual(['pending', 'pending']);
  expect(await copiesOf(ids)).toBe(0);
  const faulty = await office.get(`${withdraw}?first_total_gte=mucho`);
  expect([faulty.status, idsIn(faulty)]).toEqual([400, []]);
  const hostile = { query: '?q=x"><script>&evil=1', next_query: 'https://evil.example/' };
  const { text } = await office.post(withdraw, { id: ids.map(String), ...hostile });
  expect(text).not.toContain('evil');
  expect(text).not.toContain('<script>&');
});

test('links the bulk acts only for a filter that can find pending requests', async () => {
  await ofPayer('Enlaces', 1);
  const has = async (query: string) =>
    (await office.get(`${list}${query}`)).text.includes('/bulk/withdraw');
  expect(await has('?q=enlaces')).toBe(true);
  expect(await has('?q=enlaces&state=pending')).toBe(true);
  expect(await has('')).toBe(false);
  expect(await has('?state=paid')).toBe(false);
  expect(idsIn(await office.get(`${withdraw}?state=paid`))).toEqual([]);
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(`${list}?q=enlaces`)).text).not.toContain('/bulk/');
});

test('renders accessible pages', async () => {
  await ofPayer('Vista', 3);
  const [none = 0] = await ofPayer('Vista', 1, { payer_email: '' });
  const at = (path: string) => ({ origin: service.origin, office, path });
  await lookAtPage(browser, at(`${resend}?q=vista`), 'bulk-resend');
  await lookAtPage(browser, at(`${withdraw}?q=vista`), 'bulk-withdraw');
  await lookAtPage(browser, at(`${withdraw}?q=nadie`), 'bulk-none');
  await lookAtPage(browser, at(`${list}?q=vista`), 'bulk-list');
  expect(none).toBeGreaterThan(0);
});
