import { formatDay } from '../../kernel/dates.ts';
import { formatPesos } from '../../kernel/money.ts';
import {
  codeStyle,
  contentWidth,
  labelStyle,
  margin,
  noteStyle,
  page,
  rule,
  smallStyle,
  strongStyle,
} from '../../platform/documents/page-style.ts';
import {
  leading,
  printLine,
  printLines,
  type Style,
  wrap,
} from '../../platform/documents/page-text.ts';
import { fillShape } from '../../platform/documents/shape.ts';
import { grouped } from '../../platform/pages/format.ts';
import { qrShape, type Shape } from '../../platform/qr-shape.ts';
import { dueLabel } from './coupon-head.ts';
import type { CouponModel } from './model.ts';
import { barcodeShape } from './shapes.ts';

const right = page.width - margin;
const qrSize = 112;
const listWidth = contentWidth - qrSize - 30;
/** Gap below the QR, more than the four white modules that readers need. */
const asideGap = 10;
const headingHeight = 24;
const entryGap = 7;
const barHeight = 54;
/** 0.42 mm per module: coarse enough for worn scanners and office printers. */
const coarse = 1.2;
const stubHeight = 138;
const headingStyle: Style = { font: 'Helvetica-Bold', size: 12 };
const digitStyle: Style = { font: 'Courier-Bold', size: 9.5 };
const addressStyle: Style = { font: 'Courier', size: 6.5, color: '#222' };

type Entry = { label: string; value: string | undefined; lines: string[]; height: number };

type Aside = {
  readonly shape: Shape;
  readonly label: readonly string[];
  readonly address: readonly string[];
  readonly height: number;
};

/** A measured payment block. */
export type PaymentBlock = {
  readonly entries: readonly Entry[];
  readonly aside: Aside;
  readonly listHeight: number;
  readonly height: number;
};

/** Measures channels, QR and cashier's stub without printing. */
export function paymentBlock(pdf: PDFKit.PDFDocument, model: CouponModel): PaymentBlock {
  const entries = model.channels.map((channel): Entry => {
    const lines = wrap(pdf, channel.instruction, listWidth, noteStyle, 3);
    const valueHeight = channel.value === undefined ? 0 : leading(codeStyle);
    const height = leading(strongStyle) + valueHeight + lines.length * leading(noteStyle);
    return { label: channel.label, value: channel.value, lines, height: height + entryGap };
  });
  const aside = asideOf(pdf, model);
  const entriesHeight = entries.reduce((sum, entry) => sum + entry.height, 0);
  const listHeight = headingHeight + Math.max(aside.height, entriesHeight);
  const height = listHeight + (model.cashAllowed ? stubHeight : 0);
  return { entries, aside, listHeight, height };
}

export function drawPayment(
  pdf: PDFKit.PDFDocument,
  model: CouponModel,
  block: PaymentBlock,
  top: number,
): void {
  rule(pdf, top, 0.8);
  printLine(pdf, 'Cómo pagar', margin, top + 8, headingStyle);
  let y = top + headingHeight + 3;
  for (const entry of block.entries) {
    printEntry(pdf, entry, y);
    y += entry.height;
  }
  drawAside(pdf, model, block.aside, top + 10);
  if (model.cashAllowed) drawStub(pdf, model, top + block.listHeight);
}

function printEntry(pdf: PDFKit.PDFDocument, entry: Entry, top: number): void {
  printLine(
    pdf,
    wrap(pdf, entry.label, listWidth, strongStyle, 1).join(''),
    margin,
    top,
    strongStyle,
  );
  let y = top + leading(strongStyle);
  if (entry.value !== undefined) {
    printLine(pdf, wrap(pdf, entry.value, listWidth, codeStyle, 1).join(''), margin, y, codeStyle);
    y += leading(codeStyle);
  }
  printLines(pdf, entry.lines, margin, y, noteStyle);
}

/**
 * Measures the QR, its label and the checkout's address. An extra line introduces the address if
 * the QR is a payment QR, which does not contain it.
 */
function asideOf(pdf: PDFKit.PDFDocument, { checkoutUrl, paymentQr }: CouponModel): Aside {
  const title = paymentQr === null ? 'Abrí la página de pago' : 'Pagá con cualquier billetera';
  const label = wrap(pdf, title, qrSize, strongStyle);
  const address = wrap(pdf, checkoutUrl, qrSize, addressStyle, 6);
  const below = label.length * leading(strongStyle) + address.length * leading(addressStyle);
  const height = qrSize + 2 * asideGap + (paymentQr === null ? 0 : leading(smallStyle)) + below;
  return { shape: qrShape(paymentQr ?? checkoutUrl), label, address, height };
}

function drawAside(
  pdf: PDFKit.PDFDocument,
  { checkoutUrl, paymentQr }: CouponModel,
  { shape, label, address }: Aside,
  top: number,
): void {
  const x = right - qrSize;
  fillShape(pdf, shape, x, top, qrSize / shape.width, qrSize / shape.height);
  let y = printLines(pdf, label, x, top + qrSize + asideGap, strongStyle);
  if (paymentQr !== null) y = printLines(pdf, ['O en la página de pago:'], x, y, smallStyle);
  const below = printLines(pdf, address, x, y, addressStyle);
  pdf.link(x, top, qrSize, below - top, checkoutUrl);
}

/** Draws the part that the cashier scans or retains. */
function drawStub(pdf: PDFKit.PDFDocument, model: CouponModel, top: number): void {
  const cut = top + 8;
  pdf.dash(4, { space: 3 });
  rule(pdf, cut, 0.7);
  pdf.undash();
  printLine(pdf, 'PARA LA CAJA', margin, cut + 8, labelStyle);
  const name = wrap(pdf, model.issuer.name, 210, strongStyle, 1).join('');
  printLine(pdf, name, margin, cut + 19, strongStyle);
  printLine(pdf, `Cupón N.º ${model.id}`, margin, cut + 33, smallStyle);
  model.dues.forEach((due, index) => {
    const text = `${dueLabel(model.dues, index)}: ${formatDay(due.day)}   ${formatPesos(due.total)}`;
    printLine(pdf, text, right, cut + 19 + index * 14, strongStyle, 'end');
  });
  const shape = barcodeShape(model.barcode, barHeight);
  // 56 digits take the whole width, at 0.39 mm per module.
  const moduleWidth = Math.min(coarse, contentWidth / shape.width);
  const width = shape.width * moduleWidth;
  const x = (page.width - width) / 2;
  fillShape(pdf, shape, x, cut + 50, moduleWidth, 1);
  const digits = grouped(model.barcode);
  printLine(pdf, digits, page.width / 2, cut + 50 + barHeight + 5, digitStyle, 'middle');
}
