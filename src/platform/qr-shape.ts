import { create } from 'qrcode';

/** A black drawing: SVG path data in a box of `width` by `height` units. */
export type Shape = { readonly width: number; readonly height: number; readonly path: string };

/** The modules of a QR code (ISO/IEC 18004, level M), without quiet zone. */
export interface QrModules {
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/** Capacity of the largest level M code, in bytes. */
const mostBytes = 2_331;

/** Returns true if a code can hold the text. */
export const fitsQr = (text: string): boolean => Buffer.byteLength(text) <= mostBytes;

/** Encodes a text. Throws when it is too long. */
export function qrModules(text: string): QrModules {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  return { size, isDark: (row, column) => data[row * size + column] === 1 };
}

/**
 * Draws a text's QR code, one unit per module, without quiet zone. Joins adjacent modules of a row.
 * Throws if the text is too long.
 */
export function qrShape(text: string): Shape {
  const { size, isDark } = qrModules(text);
  let path = '';
  for (let row = 0; row < size; row += 1) {
    let start = -1;
    for (let column = 0; column <= size; column += 1) {
      const dark = column < size && isDark(row, column);
      if (dark && start < 0) start = column;
      if (!dark && start >= 0) {
        path += `M${start} ${row}h${column - start}v1h-${column - start}z`;
        start = -1;
      }
    }
  }
  return { width: size, height: size, path };
}
