import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandOf } from '../../src/kernel/card-number.ts';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { simulatorTexts } from '../../src/sandbox/simulator/texts.ts';
import {
  cardForm,
  create,
  handOver,
  open,
  post,
  read,
  tablesWith,
  tokenForm,
} from '../checkout/payer.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Covers the simulator's card form, in a frame and as a page without scripts. */
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0', LINK_RATE: '0' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const amex = '373953192351004';
const faultsOn = (html: string): string[] =>
  [...html.matchAll(/id="(\w+)-fault" data-text="[^"]*">[^<]/g)].map(([, name]) => name ?? '');

describe('typed cards', () => {
  const faulty: [string, string, string][] = [
    ['no number', 'number', ''],
    ['a wrong check digit', 'number', '4507990000004900'],
    ['letters for a number', 'number', 'no tengo'],
    ['a number of 5,000 digits', 'number', '4'.repeat(5_000)],
    ['a blank name', 'holder', ' \t '],
    ['a name of 256 letters', 'holder', 'ñ'.repeat(256)],
    ['a control character', 'holder', 'Ana\u0000Pérez'],
    ['no expiry', 'expiry', ''],
    ['month 13', 'expiry', '13/30'],
    ['month 0', 'expiry', '00/30'],
    ['a full date', 'expiry', '01/08/2030'],
    ['three digits', 'expiry', '830'],
    ['five digits', 'expiry', '08203'],
    ['last month', 'expiry', '10/26'],
    ['a long past year', 'expiry', '12/2020'],
    ['no code', 'code', ''],
    ['2 digits', 'code', '12'],
    ['4 digits for Visa', 'code', '1234'],
    ['letters for a code', 'code', 'abc'],
  ];
  test.each(faulty)(
    'reports %s next to the field %s, and never shows the number or the code again',
    async (_what, name, value) => {
      const { path } = await create(service);
      const answer = await handOver(service.origin, path, { ...cardForm, [name]: value });
      expect([answer.status, faultsOn(answer.html)]).toEqual([400, [name]]);
      expect(answer.html).toContain(simulatorTexts.es.fields[name as 'number'].fault);
      expect(answer.html).not.toMatch(/450799000000490|value="123/);
      const tokens = await post(service.origin, '/simulator/tokens', {
        ...cardForm,
        [name]: value,
      });
      expect([tokens.status, JSON.parse(tokens.html)]).toEqual([400, { faults: [name] }]);
    },
  );

  const thisMonth = dayOf(wallClock.now())
    .toString()
    .replace(/^..(..)-(..)-..$/, '$2/$1');
  test.each([
    '0830',
    '08/30',
    '8/30',
    '08/2030',
    '082030',
    '08 / 30',
    '08-30',
    ' 08.30 ',
    thisMonth,
  ])('accepts an expiry written %s', async (expiry) => {
    const { status } = await post(service.origin, '/simulator/tokens', { ...cardForm, expiry });
    expect(status).toBe(201);
  });

  test('requires a code of 4 digits, not 3, for American Express', async () => {
    const at = (code: string) =>
      post(service.origin, '/simulator/tokens', { ...cardForm, number: amex, code });
    expect([(await at('123')).status, (await at('1234')).status]).toEqual([400, 201]);
  });
});

test('passes on token, brand, first and last digits and name, never the number', async () => {
  const { path } = await create(service);
  const { status, headers } = await handOver(service.origin, path);
  const location = new URL(headers.get('location') ?? '');
  expect([status, location.origin, location.pathname]).toEqual([303, service.origin, path]);
  const { token = '', ...told } = Object.fromEntries(location.searchParams);
  expect(told).toEqual({
    channel: 'credit_card',
    connector: 'simulator',
    brand: 'visa',
    bin: '450799',
    last_four: '4905',
    holder_name: 'Ana Pérez',
  });
  expect(token).toMatch(/^sim\./);
  expect(token.replace(/\D/g, '')).toBe('4507994905');
});

test('returns browsers only to this service’s checkouts', async () => {
  for (const back of [
    'https://evil.example/checkout/x',
    `${service.origin}.evil.example/checkout/x`,
    `${service.origin}/sandbox/clock`,
    '//evil.example/checkout/x',
    'javascript:alert(1)',
    '',
  ]) {
    const query = new URLSearchParams({ back });
    const answer = await post(service.origin, `/simulator/frame?${query}`, cardForm);
    expect([back, answer.status, answer.headers.get('location')]).toEqual([back, 400, null]);
  }
});

test('allows embedding the frame only in this service’s pages', async () => {
  const { headers } = await open(service.origin, '/simulator/frame');
  const policy = headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "frame-ancestors 'self'", "form-action 'self'"]) {
    expect(policy).toContain(rule);
  }
  expect(policy).not.toContain('unsafe');
  expect(headers.get('cache-control')).toBe('no-store');
  const checkout = await open(service.origin, (await create(service)).path);
  expect(checkout.headers.get('content-security-policy')).toContain(`frame-src ${service.origin}`);
});

test('accepts a token for one charge only, and stores no card number', async () => {
  const [first, second] = [await create(service), await create(service)];
  expect((await post(service.origin, first.path, tokenForm)).status).toBe(303);
  await post(service.origin, second.path, tokenForm);
  const { state, request_result: results } = await read(service, second);
  expect([state, results[0].state_comment]).toEqual(['pending', 'The token was charged before.']);
  expect(await tablesWith(service, '4507990000004905')).toEqual([]);
});

test('rejects a payment with a token that the simulator did not issue', async () => {
  const made = await create(service);
  await post(service.origin, made.path, { ...tokenForm, token: 'tok_foreign' });
  const { state, request_result: results } = await read(service, made);
  expect([state, results[0].type]).toEqual(['pending', 'rejected_payment_request_result']);
});

test('recognizes card brands as the service does', async () => {
  const { html } = await open(service.origin, '/simulator/frame');
  const [main = ''] = /\/page-assets\/\w+\/card\.js/.exec(html) ?? [];
  const { html: script } = await open(service.origin, main);
  const [, brands = ''] = /from '([^']+brand\.js)'/.exec(script) ?? [];
  const edges = ['2220', '2221', '2720', '2721', '3009', '3060', '4029', '5020', '5038', '5099'];
  const exact = ['402917', '402918', '402919', '527571', '527573', '377798', '377800', '650272'];
  const prefixes = [
    ...Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(4, '0')}0000`),
    ...edges.flatMap((edge) => ['0000', '9999'].map((tail) => edge + tail)),
    ...Array.from({ length: 10_000 }, (_, n) => `58${String(9000 + n).padStart(4, '0')}00`),
    ...Array.from({ length: 10_000 }, (_, n) => `60${String(n).padStart(4, '0')}99`),
    ...[...exact, '650273'].flatMap((prefix) => [`${prefix}00`, `${prefix}99`]),
    '65008700',
    '65008701',
  ];
  const page = await browser.newPage();
  await page.goto(`${service.origin}/simulator/frame`);
  // As text, because the test runner rewrites imports inside functions.
  const there = await page.evaluate(
    `import('${brands}').then(({ brandOf }) => ${JSON.stringify(prefixes)}.map(brandOf))`,
  );
  expect(there).toEqual(prefixes.map((digits) => brandOf(digits)));
  await page.close();
});
