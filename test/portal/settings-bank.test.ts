import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPayoutCbu, setAccount } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { cbuEndingIn } from '../harness/builders/mandates.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let owner: Office;
let second: Office;
const page = `/portal/${testAccount}/settings/bank-account`;
const [first, next, other] = [cbuEndingIn('1111'), cbuEndingIn('2222'), cbuEndingIn('3333')];
const endOf = (cbu: string): string => `terminada en ${cbu.slice(-4)}`;

const acting = () => ({ ...service.service.parts.base, actor: testOperator });
const now = () => readPayoutCbu(service.sql, testAccount);
const adopt = () => service.service.parts.settings.adoptCbus();
const ask = (cbu: string, office = owner) => office.post(`${page}/change`, { cbu });
const cancel = (cbu: string, office = owner) => office.post(`${page}/cancel`, { cbu });

/** Backdates the change. */
const aged = (text: string) => service.sql`
  update accounts set next_payout_cbu_at = next_payout_cbu_at - ${text}::text::interval
  where id = ${testAccount}`;

const lettersAbout = (text: string) => service.sql<{ recipient: string; body: string }[]>`
  select recipient, body from mails where subject like ${`%${text}%`} order by recipient`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
  second = await signIn(service, 'owner');
  const money = { accountId: testAccount, reference: 'x', note: 'n', actor: testOperator };
  await correct(service.service.parts.base)({ ...money, amount: centavos(900_000) });
});
beforeEach(async () => {
  await setAccount(acting())({ accountId: testAccount, payoutCbu: first });
  await service.sql`delete from mails`;
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

let paid = 0;
async function payout(): Promise<string> {
  paid += 1;
  const wanted = { accountId: testAccount, amount: centavos(100), actor: testOperator };
  const made = await sendPayout(service.service.parts.base)({ ...wanted, reference: `p${paid}` });
  return made.payout.cbu;
}

test('delays a change of CBU for 24 hours, and pays out to the former account until then', async () => {
  expect((await ask(next)).location).toBe(`${page}?note=asked`);
  const { next_payout_cbu_at: at } = await now();
  const left = at?.since(service.service.parts.clocks.wall.now()).total('hours') ?? 0;
  expect(left).toBeGreaterThan(23.9);
  expect(left).toBeLessThanOrEqual(24);
  expect([await adopt(), await payout()]).toEqual([0, first]);
  await aged('23 hours 59 minutes');
  expect([await adopt(), await payout()]).toEqual([0, first]);
  await aged('1 minute');
  expect([await adopt(), await payout()]).toEqual([1, next]);
  expect([await adopt(), (await now()).next_payout_cbu]).toEqual([0, null]);
});

test('ignores the sandbox’s clock for the waiting period', async () => {
  await ask(next);
  await service.call('POST', '/sandbox/clock', { body: { days: 2 } });
  expect([await adopt(), (await now()).payout_cbu]).toEqual([0, first]);
});

test('e-mails every owner about the request (with a link to cancel it), its cancellation and its adoption', async () => {
  const owners = [owner.email, second.email].sort();
  const told = async (text: string) => (await lettersAbout(text)).map((one) => one.recipient);
  await ask(next);
  expect(await told(endOf(next))).toEqual(expect.arrayContaining(owners));
  const [letter] = await lettersAbout(endOf(next));
  expect(letter?.body).toContain(`${service.origin}${page}`);
  expect(letter?.body).not.toContain(next);
  await service.sql`delete from mails`;
  await cancel(next, second);
  expect(await told('no se cambia la CBU')).toEqual(expect.arrayContaining(owners));
  await ask(other);
  await aged('24 hours');
  await adopt();
  expect(await told(`van ahora a la CBU ${endOf(other)}`)).toEqual(expect.arrayContaining(owners));
});

test('lets another owner cancel a change for good, and ignores a repeated form', async () => {
  await ask(next);
  expect((await cancel(next, second)).location).toBe(`${page}?note=canceled`);
  expect((await cancel(next, second)).location).toBe(`${page}?note=gone`);
  await ask(other);
  expect((await cancel(next)).location).toBe(`${page}?note=gone`);
  expect((await now()).next_payout_cbu).toBe(other);
});

test('refuses to cancel a change that has taken effect, and explains it', async () => {
  await ask(next);
  await aged('24 hours');
  const late = await cancel(next);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('no se puede cancelar')]);
  expect([await adopt(), (await now()).payout_cbu]).toEqual([1, next]);
});

test('records one change for two concurrent owners, and one for a repeated form', async () => {
  const answers = await Promise.all([ask(next), ask(other, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  const waiting = String((await now()).next_payout_cbu);
  await cancel(waiting);
  const twice = await Promise.all([ask(next), ask(next)]);
  expect(twice.map(({ location }) => location)).toEqual(Array(2).fill(`${page}?note=asked`));
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from events where account_id = ${testAccount}
      and type = 'account.payout_cbu_asked' and data->>'next_payout_cbu' = ${next}
      and id > (select max(id) from events where type = 'account.payout_cbu_canceled')`;
  expect(row?.count).toBe(1);
});

test('adopts a due CBU once despite concurrent adoption, cancellation and payout', async () => {
  for (let round = 0; round < 8; round += 1) {
    await setAccount(acting())({ accountId: testAccount, payoutCbu: first });
    await ask(next);
    await aged('24 hours');
    const results = await Promise.all([adopt(), adopt(), payout(), cancel(next)]);
    expect(results[0] + results[1]).toBe(1);
    expect([first, next]).toContain(results[2]);
    expect((await now()).payout_cbu).toBe(next);
  }
});

test.each([
  ['', 'Completá este dato'],
  ['123', 'La CBU tiene 22 números'],
  [first.replace(/^./, '9'), 'del banco y la sucursal'],
  [first.replace(/.$/, String((Number(first.at(-1)) + 1) % 10)), 'de la cuenta (el 22.º)'],
  ['0000003100062244154712', 'Es una CVU'],
] as const)('refuses %j as a CBU, and explains the fault', async (cbu, text) => {
  const answer = await ask(cbu);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
  expect(answer.text).toContain('href="#cbu"');
  expect((await now()).next_payout_cbu).toBeNull();
});

test('refuses the current CBU as a change', async () => {
  const answer = await ask(first);
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('ya van a esa CBU')]);
});

test('applies an operator’s change at once, and drops a pending one', async () => {
  await ask(next);
  await setAccount(acting())({ accountId: testAccount, payoutCbu: other });
  expect(await now()).toEqual({
    payout_cbu: other,
    next_payout_cbu: null,
    next_payout_cbu_at: null,
  });
  await ask(next);
  await setAccount(acting())({ accountId: testAccount, returnsFees: true });
  expect((await now()).next_payout_cbu).toBe(next);
  await setAccount(acting())({ accountId: testAccount, payoutCbu: other });
  expect((await now()).next_payout_cbu).toBeNull();
});

test('lets only owners change the CBU, with a fresh proof, and shows others its last digits', async () => {
  await ask(next);
  for (const role of ['administrator', 'read_only'] as const) {
    const office = await signIn(service, role);
    const { text } = await office.get(page);
    expect(text).toContain(`···· ${first.slice(-4)}`);
    expect(text).not.toContain(first);
    expect(text).not.toContain(next);
    expect(text).not.toContain('/cancel"');
    expect((await cancel(next, office)).status).toBe(403);
    expect((await ask(other, office)).status).toBe(403);
  }
  const office = await signIn(service, 'owner');
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  const back = `${page}/change`;
  const sent = await office.post(`${page}/change`, { cbu: other, back });
  expect(sent.location).toBe(`/portal/confirm?next=${encodeURIComponent(back)}`);
  expect((await now()).next_payout_cbu).toBe(next);
});

test('requests and cancels a change of CBU without scripts, on accessible pages', async () => {
  const at = { origin: service.origin, office: owner, path: page };
  await lookAtPage(browser, { ...at, path: `${page}/change` }, 'settings-bank-change');
  const shown = await openPage(browser, at, { javaScriptEnabled: false });
  await shown.getByRole('link', { name: 'Cambiar la CBU' }).click();
  await shown.getByLabel('CBU nueva').fill(next.replace(/(.{4})/g, '$1 '));
  await shown.getByRole('button', { name: 'Pedir el cambio' }).click();
  expect(await shown.textContent('main')).toContain('Hay un cambio en espera');
  await lookAtPage(browser, at, 'settings-bank');
  await shown.getByRole('button', { name: 'Cancelar el cambio' }).click();
  expect(await shown.textContent('[role=status]')).toContain('quedó cancelado');
  await shown.context().close();
});
