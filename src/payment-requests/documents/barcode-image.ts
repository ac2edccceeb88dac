import bwipjs from 'bwip-js/node';
import { grouped } from '../../platform/pages/format.ts';
import { barcodeShape, symbolOf } from './shapes.ts';

/** Quiet zone on either side, in modules, for both symbologies. */
const quietModules = 10;
const barModules = 60;
const textModules = 16;

/**
 * Draws the payment code as a self-contained SVG: bars with quiet zones on white, digits below, and
 * no fonts, styles or scripts. Throws RangeError unless `digits` contains only digits.
 */
export function barcodeSvg(digits: string): string {
  const bars = barcodeShape(digits, barModules);
  const width = bars.width + 2 * quietModules;
  const height = barModules + textModules + 2 * 6;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * 2}"`,
    ` height="${height * 2}" role="img" aria-label="${digits}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<path transform="translate(${quietModules} 6)" d="${bars.path}" shape-rendering="crispEdges"/>`,
    `<text x="${width / 2}" y="${barModules + 6 + 12}" text-anchor="middle" font-size="9"`,
    ` font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"`,
    ` textLength="${bars.width - 20}">${grouped(digits)}</text></svg>`,
  ].join('');
}

/**
 * Draws the payment code as a PNG on white, two pixels per module: bars with quiet zones, digits
 * below. Rejects unless `digits` contains only digits.
 */
export async function barcodePng(digits: string): Promise<Buffer> {
  const { bcid, text, wide } = symbolOf(digits);
  // Widens two-module bars and spaces to `wide` modules.
  const ratios = wide === null ? {} : { barratio: wide - 1, spaceratio: wide - 1 };
  return await bwipjs.toBuffer({
    bcid,
    text,
    ...ratios,
    includetext: true,
    alttext: grouped(digits),
    textxalign: 'center',
    textsize: 8,
    textyoffset: -3,
    scale: 2,
    height: 22,
    paddingwidth: quietModules,
    paddingheight: 5,
    backgroundcolor: 'FFFFFF',
    monochrome: true,
  });
}
