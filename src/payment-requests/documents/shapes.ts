import bwipjs from 'bwip-js/node';
import { create } from 'qrcode';

/** A drawing in black: SVG path data inside a box of `width` by `height` units. */
export type Shape = { readonly width: number; readonly height: number; readonly path: string };

/**
 * The bars of a Code 128 symbol (ISO/IEC 15417) for the given digits, one unit a module, without
 * quiet zone. Throws RangeError unless `digits` is a non-empty text of digits.
 */
export function barcodeShape(digits: string, height: number): Shape {
  if (!/^\d+$/.test(digits)) throw new RangeError('A payment barcode holds digits only.');
  const [symbol] = bwipjs.raw({ bcid: 'code128', text: digits });
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('No bars came back.');
  let path = '';
  let x = 0;
  // Widths alternate: bar, space, bar, …
  symbol.sbs.forEach((modules, index) => {
    if (index % 2 === 0) path += `M${x} 0h${modules}v${height}h-${modules}z`;
    x += modules;
  });
  return { width: x, height, path };
}

/**
 * The dark modules of a QR code (ISO/IEC 18004, level M) for the given text, one unit a module,
 * without quiet zone. Neighbours in a row are drawn as one run. Throws when the text is too long.
 */
export function qrShape(text: string): Shape {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row += 1) {
    let start = -1;
    for (let column = 0; column <= size; column += 1) {
      const dark = column < size && data[row * size + column] === 1;
      if (dark && start < 0) start = column;
      if (!dark && start >= 0) {
        path += `M${start} ${row}h${column - start}v1h-${column - start}z`;
        start = -1;
      }
    }
  }
  return { width: size, height: size, path };
}
