import PDFDocument from 'pdfkit';
import { midnightOf } from '../../kernel/dates.ts';
import { margin, page, smallStyle } from '../../platform/documents/page-style.ts';
import { printLine } from '../../platform/documents/page-text.ts';
import { openPicture, type Picture } from '../../platform/documents/picture.ts';
import { drawDetail } from './coupon-detail.ts';
import { drawHead } from './coupon-head.ts';
import { drawPayment, paymentBlock } from './coupon-payment.ts';
import type { CouponModel } from './model.ts';

/** Minimum space between head and payment block to start the detail there. */
const leastDetailHeight = 70;

/**
 * Renders the coupon as an A4 PDF in Spanish: issuer, items, due dates, every allowed channel and,
 * if cash is one, the cashier's barcode. All that the payer needs to pay is on one page: the first,
 * or the last if the first has no room. A long detail continues on further pages. The same model
 * and logo yield the same bytes.
 */
export async function renderCoupon(
  model: CouponModel,
  logo: Buffer | null = null,
): Promise<Buffer> {
  const pdf = openDocument({
    Title: `Cupón de pago N.º ${model.id}`,
    Author: model.issuer.name.toWellFormed(),
    // pdfkit accepts only Date.
    CreationDate: new Date(midnightOf(model.issuedOn).epochMilliseconds),
  });
  const bytes = collect(pdf);
  draw(pdf, model, logo && openPicture(pdf, logo));
  pdf.end();
  return await bytes;
}

const openDocument = (
  info: PDFKit.DocumentInfo,
  { begun = true }: { begun?: boolean } = {},
): PDFKit.PDFDocument =>
  new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    autoFirstPage: begun,
    lang: 'es-AR',
    displayTitle: true,
    info: { Subject: 'Cupón de pago', Creator: 'Recaudo', Producer: 'Recaudo', ...info },
  });

/** An issuer's coupons in one PDF. */
export interface CouponBundle {
  add(model: CouponModel): void;
  /** Returns the bytes since the last call. */
  taken(): Buffer;
  /** Ends the document and returns the remaining bytes. */
  end(): Promise<Buffer>;
}

/** Starts a PDF of coupons, each on a new page. Flushes finished pages from memory. */
export function openBundle(issuer: string, logo: Buffer | null): CouponBundle {
  const pdf = openDocument(
    { Title: 'Cupones de pago', Author: issuer.toWellFormed() },
    { begun: false },
  );
  const picture = logo && openPicture(pdf, logo);
  let chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const taken = (): Buffer => {
    const bytes = Buffer.concat(chunks);
    chunks = [];
    return bytes;
  };
  let pages = 0;
  return {
    add(model) {
      pages += 1;
      pdf.addPage();
      draw(pdf, model, picture);
      pdf.flushPages();
    },
    taken,
    async end() {
      // A PDF has at least one page.
      if (pages === 0) pdf.addPage();
      pdf.end();
      await ended;
      return taken();
    },
  };
}

function draw(pdf: PDFKit.PDFDocument, model: CouponModel, logo: Picture | null): void {
  const detailTop = drawHead(pdf, model, logo);
  const block = paymentBlock(pdf, model);
  const blockTop = page.height - margin - block.height;
  const onFirstPage = blockTop - detailTop >= leastDetailHeight;
  if (onFirstPage) drawPayment(pdf, model, block, blockTop);
  drawDetail(pdf, model, detailTop, onFirstPage ? blockTop - 10 : page.height - margin - 14);
  if (!onFirstPage) {
    pdf.addPage();
    drawPayment(pdf, model, block, margin);
  }
  numberPages(pdf, model);
}

function numberPages(pdf: PDFKit.PDFDocument, model: CouponModel): void {
  const { start, count } = pdf.bufferedPageRange();
  if (count === 1) return;
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    const text = `Cupón N.º ${model.id} – página ${index + 1} de ${count}`;
    printLine(pdf, text, page.width - margin, page.height - margin + 12, smallStyle, 'end');
  }
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
