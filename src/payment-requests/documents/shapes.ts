import bwipjs from 'bwip-js/node';
import type { Shape } from '../../platform/qr-shape.ts';

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
