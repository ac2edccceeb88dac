import PDFDocument from 'pdfkit';
import { drawLogo, type PrintedLogo } from '../../platform/documents/logo.ts';
import {
  contentWidth,
  labelStyle,
  margin,
  page,
  rule,
  smallStyle,
} from '../../platform/documents/page-style.ts';
import {
  leading,
  printLine,
  printLines,
  type Style,
  wrap,
} from '../../platform/documents/page-text.ts';
import { openPicture, type Picture } from '../../platform/documents/picture.ts';

/** A receipt in one language, ready for layout. */
export interface ReceiptDocument {
  lang: 'es-AR' | 'en';
  issuer: string;
  logo?: PrintedLogo | undefined;
  accent?: string | undefined;
  /** Such as `CUIT 30-71234567-1`. */
  issuerLine: string;
  title: string;
  lead: string;
  amount: string;
  rows: readonly { name: string; value: string }[];
  /** Footer lines: the processor and the time. */
  foot: readonly string[];
  /** The payment's time, so that a receipt's bytes never change. */
  at: Temporal.Instant;
}

const issuerStyle: Style = { font: 'Helvetica-Bold', size: 15 };
const titleStyle: Style = { font: 'Helvetica-Bold', size: 17 };
const leadStyle: Style = { font: 'Helvetica', size: 10.5 };
const amountStyle: Style = { font: 'Helvetica-Bold', size: 26 };
const valueStyle: Style = { font: 'Helvetica', size: 10.5 };
const nameWidth = 150;
const longestValue = 12;

/** Renders a receipt as a one-page A4 PDF. Texts that do not fit end in an ellipsis. */
export async function renderReceipt(
  model: ReceiptDocument,
  logo: Buffer | null = null,
): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: model.lang,
    displayTitle: true,
    info: {
      Title: model.title.toWellFormed(),
      Author: model.issuer.toWellFormed(),
      Creator: 'Recaudo',
      Producer: 'Recaudo',
      // pdfkit accepts only Date.
      CreationDate: new Date(model.at.epochMilliseconds),
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  drawRows(pdf, model, drawHead(pdf, model, logo && openPicture(pdf, logo)));
  pdf.end();
  return await done;
}

function drawHead(
  pdf: PDFKit.PDFDocument,
  model: ReceiptDocument,
  picture: Picture | null,
): number {
  const logo = drawLogo(pdf, model.logo, picture);
  const left = margin + logo.width;
  const issuer = wrap(pdf, model.issuer, contentWidth - logo.width, issuerStyle, 2);
  let y = printLines(pdf, issuer, left, margin, issuerStyle);
  printLine(pdf, model.issuerLine, left, y + 2, smallStyle);
  y = Math.max(y + leading(smallStyle) + 10, logo.bottom + 6);
  rule(pdf, y, 1.5, model.accent);
  y = printLines(pdf, [model.title], margin, y + 24, titleStyle) + 4;
  y = printLines(pdf, wrap(pdf, model.lead, contentWidth, leadStyle, 3), margin, y, leadStyle) + 12;
  printLine(pdf, model.amount, margin, y, amountStyle);
  return y + leading(amountStyle) + 12;
}

function drawRows(pdf: PDFKit.PDFDocument, { rows, foot }: ReceiptDocument, top: number): void {
  const bottom = page.height - margin - foot.length * leading(smallStyle) - 12;
  let y = top;
  for (const { name, value } of rows) {
    const room = Math.floor((bottom - y - 12) / leading(valueStyle));
    const most = Math.min(longestValue, room);
    if (most < 1) break;
    rule(pdf, y, 0.4, '#999');
    const lines = wrap(pdf, value, contentWidth - nameWidth, valueStyle, most);
    printLine(pdf, name, margin, y + 9, labelStyle);
    y = printLines(pdf, lines, margin + nameWidth, y + 7, valueStyle) + 5;
  }
  rule(pdf, y, 0.4, '#999');
  printLines(pdf, foot, margin, bottom + 12, smallStyle);
}
