import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import { openBundle, renderCoupon } from '../../../src/payment-requests/documents/coupon.ts';
import { grouped } from '../../../src/platform/pages/format.ts';
import { drawn } from '../../portal/pictures.ts';
import { barcode, couponModel, evenBarcodes } from './model.ts';
import { code128In, itfIn, qrIn, readPdf, zxingQrIn } from './readers.ts';

async function firstPage(model = couponModel) {
  const [page] = await readPdf(await renderCoupon(model));
  if (page === undefined) throw new Error('The PDF has no page.');
  return page;
}

test('encodes barcode and checkout address, verified by independent readers', async () => {
  const { pixels } = await firstPage();
  expect(await code128In(pixels)).toEqual([barcode]);
  expect(qrIn(pixels)).toBe(couponModel.checkoutUrl);
});

test('prints a labeled payment QR for wallets next to the page’s address', async () => {
  const paymentQr = `${'0'.repeat(200)}${'MERCADO'.repeat(10)}`;
  const { pixels, text } = await firstPage({ ...couponModel, paymentQr });
  expect([qrIn(pixels), await zxingQrIn(pixels)]).toEqual([paymentQr, [paymentQr]]);
  const words = text.replaceAll('\n', ' ');
  expect(words).toContain('Pagá con cualquier billetera O en la página de pago:');
  expect(words).not.toContain('Abrí la página de pago');
  expect(words.replaceAll(' ', '')).toContain(couponModel.checkoutUrl);
  const link = await firstPage();
  expect(link.text.replaceAll('\n', ' ')).toContain('Abrí la página de pago');
  expect(link.text).not.toContain('billetera ');
});

test.each(evenBarcodes)(
  'encodes %s completely on the page, verified by an independent reader',
  async (digits) => {
    const { pixels, text } = await firstPage({ ...couponModel, barcode: digits });
    expect(await itfIn(pixels)).toEqual([digits]);
    expect(text).toContain(grouped(digits));
  },
);

test('prints issuer, payer, concept, items, both due dates and the digits', async () => {
  const { text } = await firstPage();
  for (const part of [
    'Instituto San Martín de Porres S.R.L.',
    'CUIT 30-71234567-1',
    'N.º 48210337',
    'FAC-2026-001893',
    'María Belén Gutiérrez',
    'Cuota noviembre 2026, nivel secundario.',
    'Arancel mensual',
    '$ 144.500,50',
    '1.º vencimiento: 05-12-2026',
    '$ 192.500,50',
    '2.º vencimiento: 15-12-2026',
    '$ 202.125,53',
    grouped(barcode),
  ]) {
    expect(text).toContain(part);
  }
});

test('prints only the given channels, with their codes', async () => {
  const { text } = await firstPage();
  expect(text).toContain('CVU 0000003100062244154712');
  const fewer = await firstPage({ ...couponModel, channels: couponModel.channels.slice(0, 1) });
  expect(fewer.text).toContain('Tarjeta de crédito');
  expect(fewer.text).not.toContain('Transferencia');
  expect(fewer.text).not.toContain('Efectivo');
});

test('prints the QR but no barcode or digits if the request excludes cash', async () => {
  const { text, pixels } = await firstPage({ ...couponModel, cashAllowed: false });
  expect(await code128In(pixels)).toEqual([]);
  expect(text).not.toContain(grouped(barcode));
  expect(qrIn(pixels)).toBe(couponModel.checkoutUrl);
});

test('does not call a single due date the first one', async () => {
  const { text } = await firstPage({ ...couponModel, dues: [couponModel.dues[0]] });
  expect(text).toContain('Vencimiento: 05-12-2026');
  expect(text).not.toContain('1.º');
});

test('produces identical bytes for the same model and issue date', async () => {
  const bytes = await renderCoupon(couponModel);
  expect((await renderCoupon(couponModel)).equals(bytes)).toBe(true);
  const later = { ...couponModel, issuedOn: couponModel.issuedOn.add({ days: 1 }) };
  expect((await renderCoupon(later)).equals(bytes)).toBe(false);
  expect(bytes.toString('latin1')).toContain('(D:20261121030000Z)');
});

test('prints a hundred items, with all payment data on the first page', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    quantity: index + 1,
    description: `Renglón ${index + 1}. ${'palabra '.repeat(index % 30)}`.slice(0, 255),
    amount: centavos(100_000 + index),
  }));
  const pages = await readPdf(await renderCoupon({ ...couponModel, items }));
  const text = pages.map((page) => page.text).join('\n');
  expect(pages.length).toBeGreaterThan(1);
  for (const item of items) expect(text).toContain(`Renglón ${item.quantity}.`);
  expect(text).toContain(`página 2 de ${pages.length}`);
  const [first] = pages;
  expect(first && (await code128In(first.pixels))).toEqual([barcode]);
  expect(first && qrIn(first.pixels)).toBe(couponModel.checkoutUrl);
});

test('prints channels that do not fit the header on a separate page', async () => {
  const channels = Array.from({ length: 9 }, (_, index) => ({
    code: `c${index}`,
    label: `Canal ${index}`,
    value: '0000000000000000',
    instruction: 'instrucción '.repeat(30),
  }));
  const pages = await readPdf(await renderCoupon({ ...couponModel, channels }));
  expect(pages).toHaveLength(2);
  expect(pages[1]?.text).toContain('Canal 8');
  expect(pages[1] && (await code128In(pages[1].pixels))).toEqual([barcode]);
});

test('replaces letters missing in the fonts, and keeps the others', async () => {
  const { text } = await firstPage({ ...couponModel, payerName: 'Łukasz Ñandú 🎉 漢字 ő “€”' });
  expect(text).toContain('? Ñandú'.slice(2));
  expect(text).toContain('ukasz Ñandú ? ?? o “€”');
});

test('renders a coupon with any text', async () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 255 }),
    fc.string({ unit: 'grapheme', maxLength: 255 }),
    fc.constantFrom('\n'.repeat(500), 'x'.repeat(255), '', '\ud800', '\u202e\u0000\u0007'),
  );
  await fc.assert(
    fc.asyncProperty(unit, unit, unit, async (payerName, description, item) => {
      const pdf = await renderCoupon({
        ...couponModel,
        payerName,
        reference: item,
        description,
        items: [{ description: item, amount: centavos(0) }],
      });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    }),
    { numRuns: 40 },
  );
});

test('embeds a logo once in a bundle of any size', async () => {
  const logo = drawn('png', 480, 192);
  const { hash, size } = { hash: 'x'.repeat(64), size: { width: 480, height: 192 } };
  const model = { ...couponModel, issuer: { ...couponModel.issuer, logo: { hash, ...size } } };
  const bundleOf = async (count: number): Promise<Buffer> => {
    const bundle = openBundle('Coop', logo);
    for (let id = 1; id <= count; id += 1) bundle.add({ ...model, id });
    return await bundle.end();
  };
  const imagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length;
  const [one, ten] = [await bundleOf(1), await bundleOf(10)];
  expect(imagesIn(one)).toBeGreaterThan(0);
  expect(imagesIn(ten)).toBe(imagesIn(one));
});
