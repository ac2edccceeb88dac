import bwipjs from 'bwip-js/node';
import { symbologyOf } from '../../kernel/barcode.ts';
import type { Shape } from '../../platform/qr-shape.ts';

/**
 * bwip-js options for digits. Interleaved 2 of 5 has narrow and wide bars. bwip-js draws wide ones
 * with two modules, but with small modules scanners need `wide`: two and a half or three.
 */
const symbologies = {
  itf: { bcid: 'interleaved2of5', wide: 2.5 },
  code128: { bcid: 'code128', wide: null },
} as const;

/** Returns bwip-js options. Throws RangeError unless `digits` is a non-empty text of digits. */
export function symbolOf(digits: string) {
  if (!/^\d+$/.test(digits)) throw new RangeError('A payment barcode holds digits only.');
  return { ...symbologies[symbologyOf(digits)], text: digits };
}

/**
 * Returns the bars of digits in modules, without quiet zone: Interleaved 2 of 5 (ISO/IEC 16390) for
 * an even count, Code 128 (ISO/IEC 15417) for an odd one. Throws RangeError unless `digits` is a
 * non-empty text of digits.
 */
export function barcodeShape(digits: string, height: number): Shape {
  const { wide, ...drawn } = symbolOf(digits);
  const [symbol] = bwipjs.raw(drawn);
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('No bars came back.');
  let path = '';
  let x = 0;
  // Widths alternate between bar and space. Drop a space after the last bar, because it belongs to
  // the quiet zone.
  const ended = symbol.sbs.length - ((symbol.sbs.length + 1) % 2);
  symbol.sbs.slice(0, ended).forEach((modules, index) => {
    const width = wide !== null && modules === 2 ? wide : modules;
    if (index % 2 === 0) path += `M${x} 0h${width}v${height}h-${width}z`;
    x += width;
  });
  return { width: x, height, path };
}
