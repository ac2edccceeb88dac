import type { Browser, Page } from 'playwright-core';
import { parse } from 'promptparse';
import { decode } from 'steplix-emvqr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { qrIn, readImage } from '../payment-requests/documents/readers.ts';
import {
  amex,
  type Created,
  create,
  debitVisa,
  fillCard,
  frameOf,
  heading,
  mastercard,
  openChannel,
  openShop,
  payByCard,
  poorVisa,
  post,
  read,
  refusedVisa,
  type Shop,
  submit,
  tab,
  tablesWith,
  textOf,
  typeCard,
  visa,
} from './payer.ts';

let service: TestService;
let browser: Browser;
let shop: Shop;
const said: string[] = [];

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  shop = await openShop();
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await service?.stop();
});

/** Opens an address in a separate tab, and records the console. */
async function visit(url: string, javaScript = false): Promise<Page> {
  const page = await tab(browser, javaScript);
  page.on('console', (message) => {
    // A page with an error status is a valid answer.
    if (!message.text().includes('Failed to load resource')) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(url);
  return page;
}

const collectedOf = async (request: Created) =>
  (await read(service, request)).request_result.filter((one: { type: string }) =>
    one.type.startsWith('collected'),
  );

const move = (body: Record<string, unknown>) => service.call('POST', '/sandbox/clock', { body });

describe.each([
  ['without JavaScript', false],
  ['with JavaScript', true],
])('%s', (_name, javaScript) => {
  test('lets a payer pay by card and see the receipt, and shows the money to the collector', async () => {
    const before = (await service.call('GET', '/account/balances')).body.unavailable_balance;
    const request = await create(service);
    const page = await visit(request.url, javaScript);
    expect(await textOf(page)).toContain('$ 1.430,50');
    await payByCard(page, { number: '4507 9900 0000 4905' });
    expect(await heading(page)).toBe('Pago aprobado');
    const receipt = await textOf(page);
    for (const part of ['$ 1.430,50', 'Visa terminada en 4905', 'Ana Pérez', String(request.id)]) {
      expect(receipt).toContain(part);
    }
    const { state, request_result: results, holder_data } = await read(service, request);
    expect(state).toBe('paid');
    expect(holder_data).toEqual({ holder_name: 'Ana Pérez', holder_email: 'ana@example.com' });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      channel: 'Visa',
      amount: 1430.5,
      net_fee: 71.53,
      fee_iva: 15.02,
      gross_fee: 86.55,
      net_amount: 1343.95,
    });
    expect(receipt).toContain(results[0].payment_metadata.authorization_code);
    const after = (await service.call('GET', '/account/balances')).body.unavailable_balance;
    expect(Math.round((after - before) * 100)).toBe(134_395);
    await page.goto(request.url);
    expect(await heading(page)).toBe('Este cobro ya está pagado');
    await page.click('text=Ver el comprobante');
    expect(await heading(page)).toBe('Pago aprobado');
    await page.close();
  });

  test('explains a refused card in plain words, and accepts another one', async () => {
    const request = await create(service);
    const page = await visit(request.url, javaScript);
    await payByCard(page, { number: poorVisa });
    expect(await heading(page)).toBe('El pago no se pudo hacer');
    expect(await textOf(page)).toContain('No hay fondos o límite suficiente.');
    await page.click('text=Intentar de nuevo');
    await payByCard(page, { number: refusedVisa });
    expect(await textOf(page)).toContain('La entidad emisora rechazó el pago.');
    expect(await textOf(page)).toContain('No se te cobró nada.');
    await page.click('text=Intentar de nuevo');
    await payByCard(page, { number: debitVisa, channel: 'debit_card' });
    expect(await heading(page)).toBe('Pago aprobado');
    const { state, request_result: results } = await read(service, request);
    expect(state).toBe('paid');
    expect(results.map((one: { type: string }) => one.type.split('_')[0])).toEqual([
      'rejected',
      'rejected',
      'collected',
    ]);
    await page.close();
  });

  test('collects once for a double click', async () => {
    const card = await create(service);
    const page = await visit(card.url, javaScript);
    await fillCard(page, { number: visa });
    await page.dblclick('#channel-credit_card button[type=submit]:not([name])');
    await page.waitForFunction(() => document.querySelector('.card'));
    expect(['Pago aprobado', 'Este cobro ya está pagado', 'Estamos confirmando tu pago']).toContain(
      await heading(page),
    );
    await expect.poll(async () => (await read(service, card)).state).toBe('paid');
    const cash = await create(service);
    await page.goto(cash.url);
    await openChannel(page, 'non_banking');
    await page.dblclick('#channel-non_banking button[type=submit]:not([name])');
    await page.waitForFunction(() => document.querySelector('.card'));
    for (const request of [card, cash]) expect(await collectedOf(request)).toHaveLength(1);
    await page.close();
  });

  test('returns payers to the collector’s pages with the outcome, without a referrer', async () => {
    const back = `${shop.origin}/vuelta`;
    const request = await create(service, {
      back_url_success: `${back}/bien?ñ=1`,
      back_url_pending: `${back}/espera`,
      back_url_rejected: `${back}/mal`,
      first_total: 250,
    });
    const waiting = await create(service, {
      back_url_pending: `${back}/espera`,
      first_total: 1.94,
    });
    shop.visits.length = 0;
    const page = await visit(request.url, javaScript);
    await payByCard(page, { number: refusedVisa });
    await page.waitForURL(/mal/);
    await page.goto(waiting.url);
    await payByCard(page, { number: visa });
    await page.waitForURL(/espera/);
    await page.goto(request.url);
    await payByCard(page, { number: visa });
    await page.waitForURL(/bien/);
    expect(await heading(page)).toBe('Volviste a la tienda');
    expect(shop.visits).toEqual([
      { path: `/vuelta/mal?request_id=${request.id}&state=rejected`, referer: undefined },
      { path: `/vuelta/espera?request_id=${waiting.id}&state=pending`, referer: undefined },
      { path: `/vuelta/bien?%C3%B1=1&request_id=${request.id}&state=paid`, referer: undefined },
    ]);
    await page.goto(`${request.url}/receipt`);
    await page.click('text=Volver al sitio');
    expect(await heading(page)).toBe('Volviste a la tienda');
    await page.close();
  });
});

test('adapts the installments to the brand while the number is typed', async () => {
  const request = await create(service, { first_total: 3000 });
  const page = await visit(request.url, true);
  const groups = () =>
    page
      .locator('#credit_card-installments optgroup')
      .evaluateAll((all) => all.map((one) => one.getAttribute('label')));
  expect(await groups()).toEqual(['Visa', 'Mastercard', 'American Express', 'Cabal', 'Naranja']);
  const number = frameOf(page, 'credit_card').locator('#number');
  await number.fill(mastercard);
  await expect.poll(groups).toEqual(['Mastercard']);
  expect(await textOf(page)).toContain('Tarjeta: Mastercard');
  await number.fill('');
  await expect.poll(groups).toHaveLength(5);
  const plan = page.locator('#credit_card-installments option[value="43:3"]');
  expect(await plan.textContent()).toContain('CFT (TEA) 90,68\u00a0%');
  await payByCard(page, { number: amex, cvv: '1234', plan: '43:3' });
  expect(await heading(page)).toBe('Pago aprobado');
  // 3,000 pesos at a coefficient of 1.1125, in three installments.
  expect(await textOf(page)).toContain('3 cuotas de $ 1.112,50 (total $ 3.337,50)');
  const [result] = await collectedOf(request);
  expect(result).toMatchObject({ channel: 'American Express', amount: 3000 });
  expect(result.payment_metadata).toMatchObject({ installments: 3, amount: 3337.5 });
  await page.close();
});

test('waits for an unanswered payment without charging twice, and records it a day later', async () => {
  const request = await create(service, { first_total: 200.94 });
  const page = await visit(request.url);
  const other = await visit(request.url);
  await fillCard(other, { number: visa });
  await payByCard(page, { number: visa });
  expect(await heading(page)).toBe('Estamos confirmando tu pago');
  expect(await textOf(page)).toContain('No vuelvas a pagar');
  await submit(other, 'credit_card');
  expect(await heading(other)).toBe('Estamos confirmando tu pago');
  expect(await other.locator('form').count()).toBe(0);
  for (const channel of ['qr', 'non_banking']) {
    const { status } = await post(service.origin, `${request.path}/simulate`, { channel });
    expect(status).toBe(409);
  }
  expect((await read(service, request)).request_result).toEqual([]);
  await page.click('text=Ver si ya hay respuesta');
  expect(await heading(page)).toBe('Estamos confirmando tu pago');
  await move({ days: 1 });
  await page.click('text=Ver si ya hay respuesta');
  expect(await heading(page)).toBe('Este cobro ya está pagado');
  expect(await collectedOf(request)).toHaveLength(1);
  await page.close();
  await other.close();
});

test('pays by DEBIN with an alias and a CUIT', async () => {
  const request = await create(service);
  const page = await visit(request.url);
  await openChannel(page, 'DEBIN');
  await page.fill('#DEBIN-account', 'mi.alias.banco');
  await page.fill('#DEBIN-holder_cuit', '20-12345678-6');
  await submit(page, 'DEBIN');
  expect(await heading(page)).toBe('Pago aprobado');
  const [result] = await collectedOf(request);
  expect(result.channel).toBe('DEBIN');
  await page.close();
});

test.each([
  [1430.94, 'Aceptá el débito en tu banco', 'recién entonces se paga'],
  [1430.91, 'El pago no se pudo hacer', 'La cuenta no tiene saldo suficiente'],
])('advises the payer on a pending or rejected DEBIN of %s', async (first_total, title, words) => {
  const request = await create(service, { first_total });
  const page = await visit(request.url);
  await openChannel(page, 'DEBIN');
  await page.fill('#DEBIN-account', 'mi.alias.banco');
  await page.fill('#DEBIN-holder_cuit', '20-12345678-6');
  await submit(page, 'DEBIN');
  expect(await heading(page)).toBe(title);
  const text = await page.innerText('main');
  expect(text).toContain(words);
  expect(text).not.toContain('cuotas');
  expect(text).not.toContain('pagarías dos veces');
  await page.close();
});

test.each(['qr', 'wire_transfer', 'banelco_pmc', 'link_pagos', 'non_banking'])(
  'simulates a payment by %s, once',
  async (channel) => {
    const request = await create(service);
    const page = await visit(request.url);
    await openChannel(page, channel);
    await submit(page, channel);
    expect(await heading(page)).toBe('Pago aprobado');
    const again = await post(service.origin, `${request.path}/simulate`, { channel });
    expect(again.status).toBe(409);
    expect(again.html).toContain('Este cobro ya está pagado');
    expect(await collectedOf(request)).toHaveLength(1);
    await page.close();
  },
);

test('encodes the amount and the collector’s CUIT in the QR for wallets', async () => {
  const request = await create(service, { first_total: 98765.43 });
  const page = await visit(request.url);
  await openChannel(page, 'qr');
  const picture = await page.locator('.qr-image').screenshot();
  const payload = qrIn(await readImage(picture, 2)) ?? '';
  const read = parse(payload, true);
  expect(read?.getTagValue('54')).toBe('98765.43');
  expect(read?.getTagValue('50', '00')).toBe('30999999995');
  expect(read?.getTagValue('62', '01')).toBe(`${testAccount}.${request.id}`);
  const decoded = JSON.stringify(decode(payload, true));
  expect(decoded).toContain('98765.43');
  expect(decoded).toContain('30999999995');
  await page.close();
});

const closed: [string, (request: Created) => Promise<unknown>, string][] = [
  [
    'paid',
    ({ id }) => service.call('POST', `/sandbox/pay/${id}`, { body: {} }),
    'Este cobro ya está pagado',
  ],
  [
    'reverted',
    async ({ id }) => {
      await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
      await service.call('POST', `/sandbox/chargeback/${id}`, { body: {} });
    },
    'Este cobro ya no se puede pagar',
  ],
  [
    'refunded',
    async ({ id }) => {
      await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
      await service.call('POST', `/sandbox/refund/${id}`, { body: {} });
    },
    'Este cobro ya no se puede pagar',
  ],
  ['expired', () => move({ days: 11 }), 'Este cobro venció'],
];

test.each(closed)(
  'shows that a request is %s, even to a payer who sends a form late',
  async (state, make, title) => {
    const request = await create(service);
    const late = await visit(request.url);
    await fillCard(late, { number: visa });
    await make(request);
    const results = (await read(service, request)).request_result.length;
    expect((await read(service, request)).state).toBe(state);
    const page = await visit(request.url);
    expect(await heading(page)).toBe(title);
    await submit(late, 'credit_card');
    expect(await heading(late)).toBe(title);
    await page.goto(`${request.url}/rejected`);
    expect(await heading(page)).toBe(title);
    await page.goto(`${request.url}/receipt`);
    expect(await heading(page)).toBe(state === 'paid' ? 'Pago aprobado' : title);
    expect((await read(service, request)).request_result).toHaveLength(results);
    await page.close();
    await late.close();
  },
);

test('collects once for two concurrent tabs, without an error in either', async () => {
  for (let round = 0; round < 3; round += 1) {
    const request = await create(service);
    const tabs = await Promise.all([visit(request.url), visit(request.url, true)]);
    for (const page of tabs) await fillCard(page, { number: visa });
    await Promise.all(tabs.map((page) => submit(page, 'credit_card')));
    await Promise.all(tabs.map((page) => page.waitForSelector('.card')));
    const titles = await Promise.all(tabs.map(heading));
    expect(titles).toContain('Pago aprobado');
    const allowed = ['Pago aprobado', 'Este cobro ya está pagado', 'Estamos confirmando tu pago'];
    expect(titles.filter((title) => !allowed.includes(title))).toEqual([]);
    expect(titles.filter((title) => title === 'Pago aprobado')).toHaveLength(1);
    expect((await read(service, request)).request_result).toHaveLength(1);
    for (const page of tabs) await page.close();
  }
});

test('stays English from form and faults to refusal and receipt', async () => {
  const request = await create(service);
  const page = await visit(request.url);
  await page.click('.language-kept >> visible=true');
  expect(await heading(page)).toBe('Pay Cooperativa de Demostración');
  await typeCard(page, { number: '4507990000004900', expiry: '08/20', cvv: '987' });
  const use = frameOf(page, 'credit_card').locator('button[type=submit]');
  await Promise.all([page.waitForEvent('load'), use.click()]);
  expect(await textOf(page)).toContain('Check the expiry');
  expect(await textOf(page)).toContain('This card number is not valid.');
  expect(await page.inputValue('#holder')).toBe('Ana Pérez');
  expect(await page.inputValue('#number')).toBe('');
  expect(await page.inputValue('#code')).toBe('');
  expect(await page.content()).not.toMatch(/4507990000004900|987/);
  await page.fill('#number', poorVisa);
  await page.fill('#expiry', '08/30');
  await page.fill('#code', '123');
  await Promise.all([page.waitForEvent('load'), page.click('button[type=submit]')]);
  expect(await textOf(page)).toContain('Visa ending in 4094');
  await page.selectOption('#credit_card-installments', '41:1');
  await submit(page, 'credit_card');
  expect(await textOf(page)).toContain('Choose an option for the brand');
  await page.selectOption('#credit_card-installments', '39:1');
  await submit(page, 'credit_card');
  expect(await heading(page)).toBe('The payment did not go through');
  await page.click('a.language');
  expect(await heading(page)).toBe('El pago no se pudo hacer');
  await page.click('a.language');
  await page.click('text=Try again');
  await payByCard(page, { number: visa });
  expect(await heading(page)).toBe('Payment approved');
  await page.click('a.language');
  expect(await heading(page)).toBe('Pago aprobado');
  await page.click('a.language');
  await page.goto(`${request.url}?lang=en`);
  await page.click('text=See the receipt');
  expect(await heading(page)).toBe('Payment approved');
  expect(await page.content()).not.toMatch(/Ambiente|Nunca|Cobro/);
  await page.close();
});

test('stores no number of an approved or refused card in any table', async () => {
  for (const number of [visa, mastercard, amex, poorVisa, refusedVisa, debitVisa]) {
    expect(await tablesWith(service, number)).toEqual([]);
  }
  // Guards the search itself: it finds stored data.
  expect(await tablesWith(service, 'ana@example.com')).toEqual(
    expect.arrayContaining(['results', 'attempts']),
  );
});

test('logs nothing unexpected in the browser, such as violations of the security policy', () => {
  expect(said).toEqual([]);
});
