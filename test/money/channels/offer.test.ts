import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { offeredBy } from '../../../src/composition/offer.ts';
import { type Config, readConfig } from '../../../src/config/index.ts';
import {
  type Channel,
  channelsTogether,
  offeredChannels,
  offerOf,
  soleChannel,
} from '../../../src/money/channels/index.ts';
import { freePort } from '../../../src/platform/http/free-port.ts';
import { exportFile, outboundRails, type RailTerms } from '../../../src/rails/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { paymentRequestBody } from '../../harness/builders/payment-requests.ts';
import { batchOf, itemOf } from '../../harness/builders/qrs.ts';
import { testVaultKeys } from '../../harness/keys.ts';
import { call, startService, type TestService } from '../../harness/service.ts';
import { readPdf } from '../../payment-requests/documents/readers.ts';

const needed = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://pagos.example.com',
  BARCODE_CONVENTION: '5150000001',
  DATABASE_URL: 'postgres://127.0.0.1/recaudo',
  SMTP_URL: 'smtps://mail.example.com',
  VAULT_KEYS: testVaultKeys,
};
const single = {
  PMC_COMPANY: '4242',
  LINK_ENTITY: '777',
  PAGO_FACIL_CLIENT: '000004242',
  RAPIPAGO_COMPANY: 'CLUB',
  CVU_PSP: '4242',
  QR_ACCEPTOR: 'com.example.pagos',
};

/**
 * The names under which payers know each channel. A page must not show those of unconfigured ones.
 */
const names = {
  PMC_COMPANY: /Pago ?Mis ?Cuentas|Banelco|4242/i,
  LINK_ENTITY: /\bLink\b|777/i,
  PAGO_FACIL_CLIENT: /Pago ?F[aá]cil/i,
  RAPIPAGO_COMPANY: /Rapipago/i,
  CVU_PSP: /CVU|Transferencia|transferí/i,
  QR_ACCEPTOR: /wallet|billetera/i,
} as const;
const online = /tarjeta|DEBIN|card|CVV|Entrá a la página/i;
const never = /Provincia NET|0515|9991|000000515|ar\.recaudo/i;

const configOf = (env: Record<string, string>): Config => readConfig({ ...needed, ...env });
const nobody = { online: channelsTogether([]), transfers: false };

describe('consequences of the configuration', () => {
  const offered = (env: Record<string, string>) =>
    offeredChannels(offeredBy(configOf(env), nobody));

  test('offers nothing without configuration', () => expect(offered({})).toEqual([]));

  test.each([
    ['PMC_COMPANY', ['banelco_pmc']],
    ['LINK_ENTITY', ['link_pagos']],
    ['PAGO_FACIL_CLIENT', ['non_banking']],
    ['RAPIPAGO_COMPANY', ['non_banking']],
    // No connector reports incoming money here.
    ['CVU_PSP', []],
    ['QR_ACCEPTOR', []],
  ] as const)('offers these channels with %s alone: %j', (name, channels) => {
    expect(offered({ [name]: single[name] })).toEqual(channels);
  });

  test('offers everything with everything configured and connected', () => {
    const channel = { name: 'one' } as Channel;
    const connections = {
      online: soleChannel(channel, ['credit_card', 'debit_card', 'DEBIN', 'qr']),
      transfers: true,
    };
    expect(offeredChannels(offeredBy(configOf(single), connections))).toHaveLength(8);
    const { CVU_PSP: _, ...without } = single;
    const missing = offeredBy(configOf(without), connections);
    expect([missing.wire_transfer, missing.qr]).toEqual([null, null]);
  });

  test('offers cash at the networks whose files are configured', () => {
    const known = {
      pmcCompany: null,
      linkEntity: null,
      cvuPsp: null,
      qrAcceptor: null,
      qrAdministratorCuit: '',
      qrMcc: '',
    };
    const networks = (pagoFacilClient: string | null, rapipagoCompany: string | null) =>
      offerOf({ ...known, pagoFacilClient, rapipagoCompany }, nobody).non_banking?.networks;
    expect(networks('1', '1')).toEqual(['Pago Fácil', 'Rapipago']);
    expect(networks(null, '1')).toEqual(['Rapipago']);
    expect(networks(null, null)).toBeUndefined();
  });
});

type Name = keyof typeof single;

describe.each<[string, Name[], string[]]>([
  ['nothing', [], []],
  ['Pago Mis Cuentas', ['PMC_COMPANY'], ['banelco_pmc']],
  ['Link Pagos', ['LINK_ENTITY'], ['link_pagos']],
  ['Pago Fácil', ['PAGO_FACIL_CLIENT'], ['non_banking']],
  ['Rapipago', ['RAPIPAGO_COMPANY'], ['non_banking']],
  ['accounts for transfers', ['CVU_PSP'], []],
  ['a name in QRs', ['QR_ACCEPTOR'], []],
  ['all', Object.keys(single) as Name[], ['banelco_pmc', 'link_pagos', 'non_banking']],
])('production with %s configured', (_name, configured, channels) => {
  let service: TestService;
  let origin: string;
  let key: string;
  const send = (method: string, at: string, body?: unknown) =>
    call(origin, method, at, { key, ...(body !== undefined && { body }) });
  const create = (fields = {}) =>
    send('POST', '/payment-request', paymentRequestBody(service, fields));

  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    origin = `http://127.0.0.1:${port}`;
    const { DATABASE_URL: _, ...env } = needed;
    service = await startService({
      ROLES: 'payments,qr,web',
      ...env,
      PORT: String(port),
      ...Object.fromEntries(configured.map((name) => [name, single[name]])),
    });
    const { base } = service.service.parts;
    const acting = { ...base, actor: testOperator };
    const { id: accountId } = await createAccount(acting, {
      id: null,
      name: 'Club Social',
      cuit: '30712345671',
      city: 'Rosario',
    });
    key = await createKey(acting, {
      accountId,
      id: await base.recordIds.next(),
      environment: 'production',
      name: 'tests',
      permissions: ['read', 'write'],
      expiresAt: null,
      secret: null,
    });
  });
  afterAll(() => service.stop());

  test('refuses a request that leaves no channel, and names the available ones', async () => {
    const { status, body } = await create({ excluded_channels: channels });
    expect(status).toBe(400);
    const [text] = body.children.excluded_channels.errors;
    for (const channel of channels) expect(text).toContain(channel);
    if (channels.length === 0) expect(text).toContain('no payment channel configured');
  });

  test('names only offered channels on pages and in documents', async () => {
    if (channels.length === 0) return;
    const { status, body } = await create();
    expect(status).toBe(201);
    const pathOf = (url: string) => new URL(url).pathname;
    const page = await call(origin, 'GET', pathOf(body.checkout_url), { key: null });
    const shown = [...page.text.matchAll(/id="channel-(\w+)"/g)].map((match) => match[1]);
    expect(shown.toSorted()).toEqual(channels.toSorted());
    const english = await call(origin, 'GET', `${pathOf(body.checkout_url)}?lang=en`, {
      key: null,
    });
    const coupon = await fetch(`${origin}${pathOf(body.pdf_url)}`);
    const pdf = await readPdf(Buffer.from(await coupon.arrayBuffer()));
    expect(body.barcode_url).toContain('/barcode/');
    expect((await fetch(`${origin}${pathOf(body.barcode_url)}`)).status).toBe(200);
    const words = (html: string) => html.replace(/<head>.*?<\/head>|<[^>]*>/gs, ' ');
    const texts = [words(page.text), words(english.text), pdf.map(({ text }) => text).join(' ')];
    for (const text of texts) {
      const own = text.replaceAll(body.barcode.replace(/(\d{4})(?=\d)/g, '$1 '), '');
      expect(own).not.toMatch(online);
      expect(own).not.toMatch(never);
      for (const [name, pattern] of Object.entries(names)) {
        if (!configured.includes(name as Name) || ['CVU_PSP', 'QR_ACCEPTOR'].includes(name)) {
          expect(own, name).not.toMatch(pattern);
        }
      }
    }
  });

  test('lists no installment plans, and refuses QRs and QR imports', async () => {
    const plans = await send('GET', '/helper/channel-installments/1000');
    expect([plans.status, plans.body]).toEqual([200, []]);
    const saved = await send('POST', '/save-qr-data', batchOf([itemOf(service, 'one')]));
    expect([saved.status, saved.body.code]).toEqual([400, 'H106']);
    const bulk = await send('GET', '/bucket-url');
    expect([bulk.status, bulk.body.code]).toEqual([400, 'H106']);
  });

  test('exports files of configured rails, and names the missing variables of others', async () => {
    const { base, clocks } = service.service.parts;
    const { config } = service;
    const terms: RailTerms = {
      pagoFacilClient: config.PAGO_FACIL_CLIENT,
      rapipagoCompany: config.RAPIPAGO_COMPANY,
      pmcCompany: config.PMC_COMPANY,
      linkEntity: config.LINK_ENTITY,
      takesCash: service.service.parts.offer.non_banking !== null,
      today: clocks.business.today(),
    };
    const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-offer-'));
    for (const rail of outboundRails) {
      const variable = rail.name === 'pmc' ? 'PMC_COMPANY' : 'LINK_ENTITY';
      const exporting = exportFile(
        base,
        { rail, date: terms.today, directory, actor: testOperator },
        terms,
      );
      if (configured.includes(variable))
        expect((await exporting).files[0]?.file.rail).toBe(rail.name);
      else await expect(exporting).rejects.toThrow(variable);
    }
    const written = await readdir(directory);
    expect(written.some((name) => name.includes('part'))).toBe(false);
    await rm(directory, { recursive: true });
  });
});

test('keeps requests readable, and records reported payments, after their channels are removed', async () => {
  const database = await startService({ ROLES: 'payments,qr,web' });
  const { body: made } = await database.call('POST', '/payment-request', {
    body: paymentRequestBody(database),
  });
  const qr = await database.call('POST', '/save-qr-data', {
    body: batchOf([itemOf(database, 'made')]),
  });
  expect(qr.status).toBe(201);
  const port = await freePort('127.0.0.1');
  const { DATABASE_URL: _, ...env } = needed;
  await database.sql`update deployment set environment = 'production'`;
  const production = await startService({
    ROLES: 'payments,qr,web',
    ...env,
    DATABASE_URL: database.databaseUrl,
    PORT: String(port),
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    const read = await call(origin, 'GET', `/payment-request/${made.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ barcode: made.barcode, state: 'pending' });
    const page = await fetch(`${origin}${new URL(read.body.checkout_url).pathname}`);
    expect(page.status).toBe(200);
    expect((await fetch(`${origin}${new URL(read.body.pdf_url).pathname}`)).status).toBe(200);
    const status = await call(origin, 'GET', '/status/made');
    expect([status.status, status.body.qr_string]).toEqual([200, undefined]);
    const { requests } = production.service.parts;
    await requests.pay.offline(
      { accountId: 'A1B2C3D4', id: made.id },
      {
        channel: 'non_banking',
        amount: 143_050 as never,
        paidAt: production.service.parts.clocks.business.now(),
        source: 'test',
        sourceRef: '1',
        actor: testOperator,
      },
    );
    expect((await call(origin, 'GET', `/payment-request/${made.id}`)).body.state).toBe('paid');
  } finally {
    await production.stop();
    await database.stop();
  }
});
