import { createServer } from 'node:http';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import type { TestService } from '../harness/service.ts';

export const visa = '4507990000004905';
export const mastercard = '5299910010000015';
export const amex = '373953192351004';
export const refusedVisa = '4546400044997331';
export const poorVisa = '4258210000474094';
export const debitVisa = '4517721004856075';

export interface Created {
  id: number;
  url: string;
  /** Path of the pay page. */
  path: string;
  token: string;
  barcode: string;
  barcodeUrl: string;
  pdfUrl: string;
}

/** Creates a payment request through the API. */
export async function create(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<Created> {
  const body = paymentRequestBody(service, fields);
  const answer = await service.call('POST', '/payment-request', { body });
  if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
  const { id, checkout_url: url, barcode, barcode_url, pdf_url } = answer.body;
  const path = new URL(url).pathname;
  const token = path.slice('/checkout/'.length);
  return { id, url, path, token, barcode, barcodeUrl: barcode_url, pdfUrl: pdf_url };
}

export const read = async (service: TestService, { id }: Created) =>
  (await service.call('GET', `/payment-request/${id}`)).body;

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
}

/** Skips compression, which takes time. */
const plain = { 'accept-encoding': 'identity' };

/** Posts a form as a browser does. */
export async function post(
  origin: string,
  path: string,
  fields: Record<string, string> | string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<PageAnswer> {
  const response = await fetch(origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...plain, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

export async function open(origin: string, path: string, method = 'GET'): Promise<PageAnswer> {
  const response = await fetch(origin + path, { method, redirect: 'manual', headers: plain });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** A card as typed in the simulator's form. */
const typedNames = { number: visa, holder: 'Ana Pérez', expiry: '08/30', code: '123' };

/** A card payment: the typed card, and the fields of the checkout's form. */
export const cardForm = {
  ...typedNames,
  channel: 'credit_card',
  holder_email: 'ana@example.com',
  installments: '39:1',
};

/** Our form for a tokenized card, without its number. */
export const tokenForm = {
  channel: 'credit_card',
  connector: 'simulator',
  token: 'sim.visa.approved.credit.450799.4905.abcdefghijklmnopqrst',
  brand: 'visa',
  bin: '450799',
  last_four: '4905',
  card_holder_name: 'Ana Pérez',
  holder_email: 'ana@example.com',
  installments: '39:1',
};

/**
 * Types a card in the simulator's form like a browser without scripts, and returns to the checkout.
 */
export async function handOver(
  origin: string,
  path: string,
  form: Record<string, string> = cardForm,
): Promise<PageAnswer> {
  const { channel = 'credit_card', lang } = form;
  const back = new URLSearchParams({ channel, connector: 'simulator', ...(lang && { lang }) });
  const query = new URLSearchParams({ back: `${origin}${path}?${back}` });
  const typed = Object.keys(typedNames).map((name) => [name, form[name] ?? '']);
  return await post(origin, `/simulator/frame?${query}`, Object.fromEntries(typed));
}

/** Returns the fields of the checkout's form with the submitted card. */
export async function handedForm(
  origin: string,
  path: string,
  form: Record<string, string> = cardForm,
): Promise<Record<string, string>> {
  const { status, headers } = await handOver(origin, path, form);
  const location = headers.get('location');
  if (location === null) throw new Error(`the simulator answered ${status}`);
  const { holder_name = '', ...handed } = Object.fromEntries(new URL(location).searchParams);
  const rest = Object.entries(form).filter(([name]) => !(name in typedNames));
  return { ...handed, card_holder_name: holder_name, ...Object.fromEntries(rest) };
}

/** Pays by card without scripts: through the simulator's form, then through ours. */
export const payCard = async (
  origin: string,
  path: string,
  form: Record<string, string> = cardForm,
): Promise<PageAnswer> => post(origin, path, await handedForm(origin, path, form));

export const debinForm = {
  channel: 'DEBIN',
  account: 'mi.alias.banco',
  holder_cuit: '20-12345678-6',
};

export const titleOf = (html: string): string => /<h1[^>]*>([^<]*)</.exec(html)?.[1] ?? '';

export const without = (name: string, form: Record<string, string> = tokenForm) =>
  Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));

/** Fails unless the response is a page that is not cached. */
export const isPage = ({ headers, html }: PageAnswer): void => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(html).toMatch(/^<!DOCTYPE html>/);
};

/** Returns the faulty fields of a page, with the message of each. */
export const faultsOn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/id="(?:credit_card|debit_card|DEBIN)-(\w+)-fault">([^<]*)</g)].map(
      ([, name, sentence]) => [String(name), String(sentence)],
    ),
  );

/** Opens a separate browser tab with separate cookies. */
export const tab = async (browser: Browser, javaScript: boolean): Promise<Page> =>
  await browser.newPage({ javaScriptEnabled: javaScript, viewport: { width: 360, height: 740 } });

export async function openChannel(page: Page, channel: string): Promise<void> {
  const section = page.locator(`#channel-${channel}`);
  if ((await section.getAttribute('open')) === null) await section.locator('> summary').click();
}

export interface Card {
  number: string;
  channel?: 'credit_card' | 'debit_card';
  cvv?: string;
  expiry?: string;
  /** `code:count`, such as `39:1`. */
  plan?: string;
}

/** The simulator's frame. */
export const frameOf = (page: Page, channel: string): FrameLocator =>
  page.frameLocator(`#channel-${channel} iframe`);

/** Types a card in the frame. */
export async function typeCard(page: Page, card: Card): Promise<void> {
  const { number, channel = 'credit_card', cvv = '123', expiry = '08/30' } = card;
  const other = page.locator(`#channel-${channel} .other-card:not([open]) > summary`);
  if ((await other.count()) > 0) await other.click();
  const frame = frameOf(page, channel);
  await frame.locator('#number').fill(number);
  await frame.locator('#holder').fill('Ana Pérez');
  await frame.locator('#expiry').fill(expiry);
  await frame.locator('#code').fill(cvv);
}

/** Fills in a card's form without pressing the button. */
export async function fillCard(page: Page, card: Card): Promise<void> {
  const { channel = 'credit_card' } = card;
  await openChannel(page, channel);
  await typeCard(page, card);
  const use = frameOf(page, channel).locator('button[type=submit]');
  // Only the page without scripts has this button, which leads to the frame's form and back.
  if ((await use.count()) > 0) {
    await Promise.all([page.waitForEvent('load'), use.click()]);
    await page.waitForSelector('.handed');
  }
  await page.fill(`#${channel}-holder_email`, 'ana@example.com');
  if (channel === 'credit_card') {
    await page.selectOption(`#${channel}-installments`, card.plan ?? '39:1');
  }
}

export const submit = (page: Page, channel: string): Promise<void> =>
  page.click(`#channel-${channel} button[type=submit]:not([name])`);

export async function payByCard(page: Page, card: Card): Promise<void> {
  await fillCard(page, card);
  // With scripts the form is checked first, so the page changes a moment after the click.
  await Promise.all([page.waitForEvent('load'), submit(page, card.channel ?? 'credit_card')]);
}

export const heading = async (page: Page): Promise<string> => (await page.textContent('h1')) ?? '';

export const textOf = async (page: Page): Promise<string> =>
  ((await page.textContent('body')) ?? '').replaceAll('\u00a0', ' ');

export interface Shop {
  origin: string;
  /** Addresses that payers returned to, with the Referer header. */
  visits: { path: string; referer: string | undefined }[];
  close(): Promise<void>;
}

/** Starts the collector's own site, on another origin. */
export async function openShop(): Promise<Shop> {
  const visits: Shop['visits'] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') {
      visits.push({ path: request.url ?? '', referer: request.headers.referer });
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!DOCTYPE html><title>Tienda</title><h1>Volviste a la tienda</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the tables that contain a text in any column, including those of bytes. */
export async function tablesWith(service: TestService, text: string): Promise<string[]> {
  const { sql } = service;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  if (tables.length < 10) throw new Error('the tables were not found');
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql<{ hits: number }[]>`
      select count(*)::integer as hits from ${sql(name)} t
      where t::text like ${`%${text}%`} or t::text like ${`%${hex}%`}`;
    if ((row?.hits ?? 0) > 0) found.push(name);
  }
  return found;
}
