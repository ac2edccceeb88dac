import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { testOperator } from '../harness/actors.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { call, startService, type TestService } from '../harness/service.ts';
import { cardForm, debinForm, open, post, titleOf, tokenForm, visa } from './payer.ts';

describe('in production', () => {
  let service: TestService;
  let origin: string;
  let key: string;
  let path: string;

  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    origin = `http://127.0.0.1:${port}`;
    service = await startService({
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://pagos.example.com',
      BARCODE_CONVENTION: '5150000001',
      PORT: String(port),
      ROLES: 'payments,web',
      PMC_COMPANY: '4242',
      LINK_ENTITY: '777',
      RAPIPAGO_COMPANY: 'CLUB',
    });
    const { base } = service.service.parts;
    const acting = { ...base, actor: testOperator };
    const account = await createAccount(acting, {
      id: null,
      name: 'Club Social y Deportivo',
      cuit: '30712345671',
      city: 'Rosario',
    });
    key = await createKey(acting, {
      accountId: account.id,
      id: await base.recordIds.next(),
      environment: 'production',
      name: 'tests',
      permissions: ['read', 'write'],
      expiresAt: null,
      secret: null,
    });
    const body = paymentRequestBody(service);
    const created = await call(origin, 'POST', '/payment-request', { body, key });
    expect(created.body.checkout_url).toMatch(/^https:\/\/pagos\.example\.com\/checkout\//);
    path = new URL(created.body.checkout_url).pathname;
  });
  afterAll(() => service?.stop());

  test('shows only channels whose payments arrive in files if no connector is configured', async () => {
    const { status, html } = await open(origin, path);
    expect(status).toBe(200);
    expect(titleOf(html)).toBe('Pagar a Club Social y Deportivo');
    const shown = [...html.matchAll(/id="channel-(\w+)"/g)].map((match) => match[1]);
    expect(shown).toEqual(['banelco_pmc', 'link_pagos', 'non_banking']);
    expect(html).not.toContain('<form');
  });

  test('shows no simulator in production', async () => {
    for (const lang of ['es', 'en']) {
      const { html } = await open(origin, `${path}?lang=${lang}`);
      expect(html).not.toMatch(/sandbox|simul|prueba|test|4507990000004905/i);
    }
  });

  test('accepts no card numbers in production', async () => {
    for (const at of ['/simulator/frame', '/simulator/tokens']) {
      expect([at, (await open(origin, at)).status]).toEqual([at, 404]);
      // An unknown address refuses the form before any look-up.
      expect((await post(origin, at, cardForm)).status).toBe(415);
    }
    const typed = { ...tokenForm, card_number: visa };
    expect((await post(origin, path, typed)).status).toBe(400);
  });

  test('charges nothing for a hand-crafted form, and offers no simulation', async () => {
    for (const form of [tokenForm, { ...tokenForm, channel: 'debit_card' }, debinForm]) {
      expect((await post(origin, path, form)).status).toBe(409);
    }
    for (const channel of ['qr', 'non_banking', 'credit_card']) {
      const { status, html } = await post(origin, `${path}/simulate`, { channel });
      expect([status, titleOf(html)]).toEqual([404, 'No encontramos este cobro']);
    }
    const [row] = await service.sql`select count(*)::integer as n from results`;
    expect(row).toEqual({ n: 0 });
  });
});

test('serves no pages or documents without the web role', async () => {
  const service = await startService({ ROLES: 'payments' });
  try {
    const body = paymentRequestBody(service);
    const { body: created } = await service.call('POST', '/payment-request', { body });
    for (const url of [created.checkout_url, created.barcode_url, created.pdf_url]) {
      const { status, headers } = await open(service.origin, new URL(url).pathname);
      expect([status, headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    }
    const { status } = await post(
      service.origin,
      new URL(created.checkout_url).pathname,
      tokenForm,
    );
    expect(status).not.toBe(303);
    expect((await service.call('GET', `/payment-request/${created.id}`)).body.state).toBe(
      'pending',
    );
  } finally {
    await service.stop();
  }
});
