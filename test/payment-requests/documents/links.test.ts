import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Created, create } from '../../checkout/payer.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { code128In, qrIn, readImage, readPdf } from './readers.ts';

let service: TestService;
let request: Created;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  request = await create(service, {
    first_total: 1490.8,
    payer_name: 'María Belén Gutiérrez',
    items: [{ quantity: 2, description: 'Arancel', amount: 745.4 }],
  });
});
afterAll(() => service?.stop());

async function fetched(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const documents = () => [
  { url: request.barcodeUrl.replace(/svg$/, 'png'), type: 'image/png' },
  { url: request.barcodeUrl, type: 'image/svg+xml; charset=utf-8' },
  { url: request.pdfUrl, type: 'application/pdf' },
];

test('shows the same digits in PNG, SVG and coupon as in the API', async () => {
  const [png, svg, pdf] = await Promise.all(documents().map(({ url }) => fetched(url)));
  if (!png || !svg || !pdf) throw new Error('three documents');
  expect(request.barcode).toMatch(/^\d{59}$/);
  expect(await code128In(await readImage(png.bytes))).toEqual([request.barcode]);
  expect(await code128In(await readImage(svg.bytes))).toEqual([request.barcode]);
  const [page] = await readPdf(pdf.bytes);
  if (!page) throw new Error('a page');
  expect(await code128In(page.pixels)).toEqual([request.barcode]);
  expect(qrIn(page.pixels)).toContain(`${testAccount}.${request.id}`);
  expect(page.text.replaceAll('\n', '')).toContain(request.url);
  for (const part of ['María Belén Gutiérrez', '$ 1.490,80', 'Cooperativa de Demostración']) {
    expect(page.text).toContain(part);
  }
});

test('links the request’s barcode and coupon on the checkout page', async () => {
  const html = await (await fetch(request.url)).text();
  const source = /<img class="barcode" src="([^"]+)"/.exec(html)?.[1];
  const coupon = /<a class="button button-quiet" href="(\/coupon[^"]+)"/.exec(html)?.[1];
  expect(service.origin + source).toBe(request.barcodeUrl);
  expect(service.origin + coupon).toBe(request.pdfUrl);
});

test('prints only channels that the request allows on a coupon', async () => {
  const some = await create(service, { excluded_channels: ['non_banking', 'link_pagos', 'qr'] });
  const [page] = await readPdf((await fetched(some.pdfUrl)).bytes);
  if (!page) throw new Error('a page');
  expect(await code128In(page.pixels)).toEqual([]);
  expect(page.text).toContain('Pago Mis Cuentas');
  expect(page.text).not.toContain('Link Pagos');
  // The link remains, because barcode_url is always present.
  expect((await fetched(some.barcodeUrl)).status).toBe(200);
});

test('sends every document with its type and an ETag, and answers 304 while it is unchanged', async () => {
  for (const { url, type } of documents()) {
    const first = await fetched(url);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe(type);
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=\d+/);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{10,}"$/);
    const again = await fetched(url, { 'if-none-match': etag });
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    expect((await fetched(url, { 'if-none-match': '"another"' })).status).toBe(200);
    const head = await fetched(url, {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), head.bytes.length]).toEqual([200, etag, 0]);
  }
});

test('gives every document and request its own ETag', async () => {
  const other = await create(service);
  const urls = [...documents().map(({ url }) => url), other.barcodeUrl, other.pdfUrl];
  const etags = await Promise.all(
    urls.map(async (url) => (await fetched(url)).headers.get('etag')),
  );
  expect(new Set(etags).size).toBe(urls.length);
});

test('serves identical bytes under a link, even after payment', async () => {
  const before = await Promise.all(documents().map(({ url }) => fetched(url)));
  await service.call('POST', `/sandbox/pay/${request.id}`, { body: {} });
  const after = await Promise.all(documents().map(({ url }) => fetched(url)));
  expect(after.map(({ bytes }) => bytes.toString('base64'))).toEqual(
    before.map(({ bytes }) => bytes.toString('base64')),
  );
});

test('answers 404 for a token with any character or extension changed', async () => {
  const { token } = request;
  const { tokenOf } = service.service.parts.links;
  const changed = Array.from(token, (char, at) => {
    const other = char === 'B' ? 'C' : 'B';
    return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
  });
  const nobody = tokenOf({ accountId: 'A1B2C3D4', id: 999_999_999 });
  const paths = [
    ...[...changed, nobody].flatMap((one) => [`/barcode/${one}.svg`, `/coupon/${one}.pdf`]),
    ...['pdf', 'gif', ''].map((ending) => `/barcode/${token}.${ending}`),
    `/barcode/${token}`,
    `/coupon/${token}.png`,
    `/coupon/${token}.PDF`,
  ];
  const answers = await Promise.all(
    paths.map((path) => fetched(service.origin + path, { 'if-none-match': '*' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
});
