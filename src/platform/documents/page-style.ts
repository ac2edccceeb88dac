import type { Style } from './page-text.ts';

/** A4 in points. */
export const page = { width: 595.28, height: 841.89 } as const;

/** Width of the margins, in points. */
export const margin = 42;

export const contentWidth = page.width - 2 * margin;

const grey = '#4a4a4a';

export const labelStyle: Style = { font: 'Helvetica-Bold', size: 7.5, color: grey };
export const smallStyle: Style = { font: 'Helvetica', size: 8, color: grey };
export const noteStyle: Style = { font: 'Helvetica', size: 8.5, color: '#222' };
export const bodyStyle: Style = { font: 'Helvetica', size: 10 };
export const strongStyle: Style = { font: 'Helvetica-Bold', size: 10 };
export const codeStyle: Style = { font: 'Courier-Bold', size: 11 };

/** Draws a horizontal line across the content. */
export function rule(pdf: PDFKit.PDFDocument, y: number, weight: number, color = '#000'): void {
  pdf
    .moveTo(margin, y)
    .lineTo(page.width - margin, y)
    .lineWidth(weight)
    .strokeColor(color)
    .stroke();
}
