import { formatPesos } from '../../kernel/money.ts';
import {
  bodyStyle,
  contentWidth,
  labelStyle,
  margin,
  noteStyle,
  page,
  rule,
} from '../../platform/documents/page-style.ts';
import { leading, printLine, printLines, wrap } from '../../platform/documents/page-text.ts';
import type { CouponItem, CouponModel } from './model.ts';

const right = page.width - margin;
const quantityWidth = 44;
const amountWidth = 110;
const rowPadding = 3;
const headingHeight = 15;

/** The detail's position. Moves to a new page when a row does not fit. */
type Flow = { y: number; bottom: number };

/**
 * Prints concept and items from `top`, on the first page down to `bottom`, then on further pages as
 * needed.
 */
export function drawDetail(
  pdf: PDFKit.PDFDocument,
  model: CouponModel,
  top: number,
  bottom: number,
): void {
  const flow: Flow = { y: top, bottom };
  drawConcept(pdf, flow, model.description);
  if (model.items.length > 0) drawItems(pdf, flow, model.items);
}

function drawConcept(pdf: PDFKit.PDFDocument, flow: Flow, description: string): void {
  const calm = description.replace(/(\r?\n[^\S\n]*){3,}/g, '\n\n').trim();
  const lines = wrap(pdf, calm, contentWidth, bodyStyle);
  printLine(pdf, 'CONCEPTO', margin, flow.y, labelStyle);
  flow.y += 11;
  for (const line of lines) {
    makeRoom(pdf, flow, leading(bodyStyle));
    printLine(pdf, line, margin, flow.y, bodyStyle);
    flow.y += leading(bodyStyle);
  }
  flow.y += 10;
}

function drawItems(pdf: PDFKit.PDFDocument, flow: Flow, items: readonly CouponItem[]): void {
  const counted = items.some((item) => item.quantity !== undefined);
  const textX = margin + (counted ? quantityWidth : 0);
  const heading = () => drawHeading(pdf, flow, textX, counted);
  const rows = items.map((item) => ({
    item,
    lines: wrap(pdf, item.description, right - amountWidth - textX, noteStyle),
  }));
  const height = (lines: readonly string[]) => lines.length * leading(noteStyle) + 2 * rowPadding;
  // Never leave a heading alone at the foot of a page.
  if (flow.y + headingHeight + height(rows[0]?.lines ?? []) > flow.bottom) nextPage(pdf, flow);
  heading();
  for (const { item, lines } of rows) {
    if (makeRoom(pdf, flow, height(lines))) heading();
    const y = flow.y + rowPadding;
    if (item.quantity !== undefined) printLine(pdf, String(item.quantity), margin, y, noteStyle);
    printLines(pdf, lines, textX, y, noteStyle);
    printLine(pdf, formatPesos(item.amount), right, y, noteStyle, 'end');
    flow.y += height(lines);
    rule(pdf, flow.y, 0.3, '#999');
  }
}

function drawHeading(pdf: PDFKit.PDFDocument, flow: Flow, textX: number, counted: boolean): void {
  if (counted) printLine(pdf, 'CANT.', margin, flow.y, labelStyle);
  printLine(pdf, 'DETALLE', textX, flow.y, labelStyle);
  printLine(pdf, 'IMPORTE', right, flow.y, labelStyle, 'end');
  flow.y += headingHeight - 3;
  rule(pdf, flow.y, 0.8);
  flow.y += 1;
}

/** Starts a new page unless `height` fits. Returns true if it started one. */
function makeRoom(pdf: PDFKit.PDFDocument, flow: Flow, height: number): boolean {
  if (flow.y + height <= flow.bottom) return false;
  nextPage(pdf, flow);
  return true;
}

function nextPage(pdf: PDFKit.PDFDocument, flow: Flow): void {
  pdf.addPage();
  flow.y = margin;
  flow.bottom = page.height - margin - 14;
}
