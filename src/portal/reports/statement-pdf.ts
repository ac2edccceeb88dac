import PDFDocument from 'pdfkit';
import {
  bodyStyle,
  contentWidth,
  labelStyle,
  margin,
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
import type { DrawingJobs } from '../../platform/drawing/thread.ts';
import type { Lang } from '../../platform/pages/model.ts';

/** A line of the document: name, amount and weight. */
export interface PrintedLine {
  name: string;
  amount: string;
  strong?: boolean;
  /** Draws a rule above the line. */
  ruled?: boolean;
  note?: string;
}

export interface StatementDocument {
  lang: Lang;
  title: string;
  holder: string;
  about: string;
  days: string;
  concept: string;
  amount: string;
  lines: readonly PrintedLine[];
  foot: readonly string[];
  issuedMs: number;
}

const titleStyle: Style = { font: 'Helvetica-Bold', size: 17 };
const issuerStyle: Style = { font: 'Helvetica-Bold', size: 12 };
const indent = 14;
const lineHeight = leading(bodyStyle) + 3;

function drawHead(pdf: PDFKit.PDFDocument, document: StatementDocument): number {
  const holder = wrap(pdf, document.holder, contentWidth, issuerStyle, 2);
  let y = printLines(pdf, holder, margin, margin, issuerStyle) + 2;
  printLine(pdf, document.about, margin, y, smallStyle);
  y += leading(smallStyle) + 10;
  rule(pdf, y, 1.5);
  y = printLines(pdf, [document.title], margin, y + 20, titleStyle) + 2;
  printLine(pdf, document.days, margin, y, bodyStyle);
  y += leading(bodyStyle) + 14;
  printLine(pdf, document.concept, margin, y, labelStyle);
  printLine(pdf, document.amount, page.width - margin, y, labelStyle, 'end');
  return y + leading(labelStyle) + 2;
}

function drawLine(pdf: PDFKit.PDFDocument, line: PrintedLine, y: number): number {
  if (line.ruled) rule(pdf, y, 0.4, '#999');
  const top = y + 4;
  const style = line.strong ? strongStyle : bodyStyle;
  printLine(pdf, line.name, margin + (line.strong ? 0 : indent), top, style);
  printLine(pdf, line.amount, page.width - margin, top, style, 'end');
  if (line.note === undefined) return y + lineHeight;
  printLine(pdf, line.note, margin, top + leading(style), smallStyle);
  return y + lineHeight + leading(smallStyle);
}

const lowest = page.height - margin - 3 * leading(smallStyle);

/** Jobs of the worker thread. Documents arrive as JSON. */
export const jobs = {
  async statement(json: string): Promise<Buffer> {
    const document = JSON.parse(json) as StatementDocument;
    const pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: document.lang === 'es' ? 'es-AR' : 'en',
      displayTitle: true,
      info: {
        Title: document.title,
        Author: document.holder.toWellFormed(),
        Creator: 'Recaudo',
        Producer: 'Recaudo',
        // pdfkit only accepts Date. The time comes from the service's clock.
        CreationDate: new Date(document.issuedMs),
      },
    });
    const chunks = Array.fromAsync(pdf as AsyncIterable<Buffer>);
    let y = drawHead(pdf, document);
    for (const line of document.lines) {
      if (y + 2 * lineHeight > lowest) {
        pdf.addPage();
        y = margin;
      }
      y = drawLine(pdf, line, y);
    }
    rule(pdf, y, 0.4, '#999');
    printLines(pdf, document.foot, margin, y + 10, smallStyle);
    pdf.end();
    return Buffer.concat(await chunks);
  },
} satisfies DrawingJobs;
