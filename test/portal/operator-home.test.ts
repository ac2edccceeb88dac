import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage } from './look.ts';

let service: TestService;
let browser: Browser;
let operator: Office;
const path = '/portal/operator';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const look = (name: string) =>
  lookAtPage(browser, { origin: service.origin, office: operator, path }, name);

test('starts operators without an account on the service’s home page', async () => {
  expect(await operator.get('/portal')).toMatchObject({ status: 303, location: path });
  const { status, text } = await operator.get(path);
  expect(status).toBe(200);
  expect(text).toContain('Operación del servicio');
  expect(text).toContain('No hay nada que pida tu atención');
  await look('operator-home-empty');
});

test('lists waiting items: unknown money with its sum, late files, failed e-mails', async () => {
  const { base, suspend } = service.service.parts;
  const now = base.clocks.business.now();
  const money = (sourceRef: string, amount: number) => ({
    reason: 'unknown_request' as const,
    channel: 'non_banking' as const,
    label: 'Rapipago',
    code: '1234',
    amount: centavos(amount),
    paidAt: now,
    source: 'rail:rapipago',
    sourceRef,
  });
  await suspend([money('1', 150_000), money('2', 50)]);
  const day = base.clocks.business.today().subtract({ days: 9 });
  await service.sql`
    insert into rail_files (id, rail, direction, name, file_date, sha256, state, lines, total,
      created_at)
    values (1, 'rapipago', 'in', 'RP0101.txt', ${day}::date, '\\x01'::bytea, 'imported', 0, 0,
      ${now}::timestamptz)`;
  await service.sql`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
    values (${testAccount}, 1, 'x@example.com', 's', 'b', 'failed', 9, ${now}::timestamptz)`;
  const { text } = await operator.get(path);
  expect(text).toContain('2 pagos sin identificar');
  expect(text).toContain('$\u00a01.500,50');
  expect(text).toContain('Falta el archivo de Rapipago');
  expect(text).toContain('1 correo que no se pudo entregar');
  const english = await operator.get(`${path}?lang=en`);
  expect(english.text).toContain('2 unknown payments');
  await look('operator-home');
});

test('links the home page and the navigation to existing pages', async () => {
  for (const role of ['operator', 'operator_read_only'] as const) {
    const office = await signIn(service, role);
    const { text } = await office.get(path);
    const links = [...text.matchAll(/href="(\/portal\/operator[^"?]*)"/g)].map(([, href]) => href);
    for (const href of new Set(links)) {
      const { status } = await office.get(href ?? '');
      expect([role, href, status]).toEqual([role, href, 200]);
    }
  }
});
