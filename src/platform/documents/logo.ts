import { margin } from './page-style.ts';
import type { Picture } from './picture.ts';

export interface PrintedLogo {
  width: number;
  height: number;
}

const box = { width: 120, height: 48 } as const;
const gap = 12;

/**
 * Prints a logo at the top left. Returns its width with the gap beside it, and the bottom of its
 * box. Both are 0 without a logo.
 */
export function drawLogo(
  pdf: PDFKit.PDFDocument,
  size: PrintedLogo | undefined,
  logo: Picture | null,
): { width: number; bottom: number } {
  if (logo === null || size === undefined) return { width: 0, bottom: 0 };
  const share = Math.min(box.width / size.width, box.height / size.height);
  const width = size.width * share;
  pdf.image(logo, margin, margin, { width, height: size.height * share });
  return { width: width + gap, bottom: margin + box.height };
}
