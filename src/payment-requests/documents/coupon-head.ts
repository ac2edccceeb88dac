import { formatDay } from '../../kernel/dates.ts';
import { formatPesos } from '../../kernel/money.ts';
import { drawLogo } from '../../platform/documents/logo.ts';
import {
  contentWidth,
  labelStyle,
  margin,
  page,
  rule,
  smallStyle,
  strongStyle,
} from '../../platform/documents/page-style.ts';
import { printLine, printLines, type Style, wrap } from '../../platform/documents/page-text.ts';
import type { Picture } from '../../platform/documents/picture.ts';
import type { CouponDue, CouponModel } from './model.ts';

const right = page.width - margin;
const issuerStyle: Style = { font: 'Helvetica-Bold', size: 17 };
const payerStyle: Style = { font: 'Helvetica-Bold', size: 11.5 };
const amountStyle: Style = { font: 'Helvetica-Bold', size: 19 };
const laterAmountStyle: Style = { font: 'Helvetica-Bold', size: 14 };

const dueBox = { width: 216, height: 54, laterHeight: 46, gap: 6, inset: 12 } as const;

/** Formats `30712345671` as `30-71234567-1`. */
export function formatCuit(cuit: string): string {
  return cuit.replace(/^(\d{2})(\d{8})(\d)$/, '$1-$2-$3');
}

/** Labels a due date, alone or as one of two. */
export function dueLabel(dues: readonly CouponDue[], index: number): string {
  return dues.length === 1 ? 'Vencimiento' : `${index + 1}.º vencimiento`;
}

/** Prints issuer, number, payer and due dates. Returns the `y` below them. */
export function drawHead(
  pdf: PDFKit.PDFDocument,
  model: CouponModel,
  logo: Picture | null,
): number {
  const titleBottom = drawTitle(pdf, model, logo);
  const payerBottom = drawPayer(pdf, model, titleBottom + 14);
  const duesBottom = drawDues(pdf, model.dues, titleBottom + 14);
  return Math.max(payerBottom, duesBottom) + 14;
}

function drawTitle(pdf: PDFKit.PDFDocument, model: CouponModel, logo: Picture | null): number {
  const { issuer } = model;
  const { width: logoWidth, bottom: logoBottom } = drawLogo(pdf, issuer.logo, logo);
  const left = margin + logoWidth;
  const width = contentWidth - 190 - logoWidth;
  const name = wrap(pdf, issuer.name, width, issuerStyle, 2);
  const nameBottom = printLines(pdf, name, left, margin, issuerStyle);
  const said = [`CUIT ${formatCuit(issuer.cuit)}`, ...(issuer.about ?? [])].join(' · ');
  const lines = wrap(pdf, said, width, smallStyle, 3);
  const below = printLines(pdf, lines, left, nameBottom + 2, smallStyle);
  printLine(pdf, 'CUPÓN DE PAGO', right, margin + 1, labelStyle, 'end');
  printLine(pdf, `N.º ${model.id}`, right, margin + 12, payerStyle, 'end');
  const issued = `Emitido el ${formatDay(model.issuedOn)}`;
  printLine(pdf, issued, right, margin + 29, smallStyle, 'end');
  const bottom = Math.max(below, margin + 42, logoBottom) + 6;
  rule(pdf, bottom, 1.5, issuer.accent);
  return bottom;
}

function drawPayer(pdf: PDFKit.PDFDocument, model: CouponModel, top: number): number {
  const width = contentWidth - dueBox.width - 24;
  printLine(pdf, 'PAGADOR', margin, top, labelStyle);
  const name = wrap(pdf, model.payerName, width, payerStyle, 3);
  const below = printLines(pdf, name, margin, top + 11, payerStyle);
  if (model.reference === undefined) return below;
  printLine(pdf, 'REFERENCIA', margin, below + 8, labelStyle);
  const reference = wrap(pdf, model.reference, width, strongStyle, 2);
  return printLines(pdf, reference, margin, below + 19, strongStyle);
}

function drawDues(pdf: PDFKit.PDFDocument, dues: readonly CouponDue[], top: number): number {
  const x = right - dueBox.width;
  let y = top;
  dues.forEach((due, index) => {
    const first = index === 0;
    const height = first ? dueBox.height : dueBox.laterHeight;
    pdf.lineWidth(first ? 1.6 : 0.7).strokeColor('#000');
    pdf.roundedRect(x, y, dueBox.width, height, 4).stroke();
    const label = `${dueLabel(dues, index)}: ${formatDay(due.day)}`;
    printLine(pdf, label, right - dueBox.inset, y + 9, strongStyle, 'end');
    const style = first ? amountStyle : laterAmountStyle;
    printLine(pdf, formatPesos(due.total), right - dueBox.inset, y + 25, style, 'end');
    y += height + dueBox.gap;
  });
  return y - dueBox.gap;
}
