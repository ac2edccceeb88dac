import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { drawQr } from '../../src/qr/images/image.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Walls, wallsOf, withoutWorker } from '../harness/builders/static-qrs.ts';
import { expectQrError } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { qrIn, readImage } from '../payment-requests/documents/readers.ts';

let service: TestService;
let walls: Walls;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
  qr = callerOf(service);
});
afterAll(() => service?.stop());

async function fetched(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const saved = async (id: string, fields: Record<string, unknown> = {}) => {
  await qr.save([itemOf(service, id, fields)]);
  return (await qr.status(id)).body;
};

/** Reads a picture with two independent decoders. */
async function seen(url: string): Promise<(string | undefined)[]> {
  const { status, bytes } = await fetched(url);
  expect(status).toBe(200);
  const pixels = await readImage(bytes);
  const found = await readBarcodes(pixels as ImageData, { formats: ['QRCode'] });
  return [qrIn(pixels), ...found.map(({ text }) => text)];
}

test('encodes qr_string in every image, verified by two independent readers', async () => {
  const codes = [
    await saved('plain'),
    await saved('longest-id-16-ch', {
      city: 'ÑANDUBAY ÁÉÍÓÚ',
      first_total: 99_999_999.99,
      postal_code: 'X5000ABC',
      qr_name: 'Kiosco "El Tío"',
    }),
    await walls.create(),
    await walls.create({ qr_type: 'static_open_amount', city: 'Río Cuarto' }),
  ];
  for (const { qr_string, image_url, image_svg_url } of codes) {
    expect(await seen(image_url)).toEqual([qr_string, qr_string]);
    expect(await seen(image_svg_url)).toEqual([qr_string, qr_string]);
  }
});

test('sends every image with its type and an ETag, and answers 304 while it is unchanged', async () => {
  const { image_url, image_svg_url } = await saved('cached');
  const types = [
    [image_url, 'image/png'],
    [image_svg_url, 'image/svg+xml; charset=utf-8'],
  ] as const;
  const etags = new Set<string>();
  for (const [url, type] of types) {
    const first = await fetched(url);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    const etag = first.headers.get('etag') ?? '';
    etags.add(etag);
    const again = await fetched(url, { 'if-none-match': etag });
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    expect((await fetched(url, { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await fetched(url, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  }
  expect(etags.size).toBe(2);
});

test('redraws an edited QR under the same address, with another ETag', async () => {
  const before = await saved('edited');
  const { headers } = await fetched(before.image_url);
  const { status } = await qr.edit('edited', itemOf(service, 'edited', { first_total: 77 }));
  expect(status).toBe(200);
  const after = (await qr.status('edited')).body;
  expect(after.image_url).toBe(before.image_url);
  expect(after.qr_string).not.toBe(before.qr_string);
  const fresh = await fetched(after.image_url, { 'if-none-match': headers.get('etag') ?? '' });
  expect(fresh.status).toBe(200);
  expect(await seen(after.image_url)).toEqual([after.qr_string, after.qr_string]);
});

test('never mixes up concurrent images', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `many-${index}`);
  await qr.save(ids.map((id) => itemOf(service, id)));
  const codes = await Promise.all(ids.map(async (id) => (await qr.status(id)).body));
  const pictures = await Promise.all(codes.map(({ image_svg_url }) => fetched(image_svg_url)));
  for (const [index, { bytes }] of pictures.entries()) {
    expect(qrIn(await readImage(bytes))).toBe(codes[index].qr_string);
    expect(codes[index].qr_string).toContain(full(ids[index] ?? ''));
  }
});

test('answers 404 for a changed token, extension or kind', async () => {
  const { image_url } = await saved('guess');
  const path = new URL(image_url).pathname;
  const { tokenOf } = service.service.parts.links;
  const request = await service.call('POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'x',
        first_due_date: (await qr.status('guess')).body.first_due_date,
        first_total: 10,
        payer_name: 'x',
      },
    },
  });
  const ofRequest = tokenOf({ accountId: full('').slice(0, 8), id: request.body.id });
  const paths = [
    path.replace(/.\.png$/, (end) => (end.startsWith('A') ? 'B.png' : 'A.png')),
    path.replace('.png', '.gif'),
    path.replace('.png', ''),
    `/qr-image/${ofRequest}.png`,
    '/qr-image/x.svg',
  ];
  for (const one of paths) {
    expectQrError(await service.call('GET', one, { key: null }), 404, 'H404');
  }
});

test('draws any payload as a PNG that an independent reader reads back', async () => {
  const texts = fc.string({ unit: 'grapheme-ascii', minLength: 20, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const found = await readBarcodes(new Blob([new Uint8Array(drawQr.png(text))]), {
        formats: ['QRCode'],
      });
      expect(found.map((symbol) => symbol.text)).toEqual([text]);
    }),
    { numRuns: 40, seed: 11 },
  );
});
