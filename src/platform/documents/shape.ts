import type { Shape } from '../qr-shape.ts';

/** Fills a drawing in black, with its top left corner at a point. */
export function fillShape(
  pdf: PDFKit.PDFDocument,
  shape: Shape,
  x: number,
  y: number,
  scaleX: number,
  scaleY: number,
): void {
  pdf.save().translate(x, y).scale(scaleX, scaleY).path(shape.path).fill('#000').restore();
}
