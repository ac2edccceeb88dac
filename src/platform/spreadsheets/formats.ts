import { walkXml } from './xml.ts';

/** Format code of each style in a workbook. Null for built-in ones. */
export type Formats = readonly (string | null)[];

export function formatsIn(xml: string): Formats {
  const codes = new Map<string, string>();
  const formats: (string | null)[] = [];
  let inCells = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') {
        const of = attributes();
        codes.set(of.get('numFmtId') ?? '', of.get('formatCode') ?? '');
      } else if (name === 'xf' && inCells) {
        formats.push(codes.get(attributes().get('numFmtId') ?? '') ?? null);
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/** Returns true for a sign of pesos, the default currency. */
const isPeso = (sign: string): boolean => /^(\$|ars|ar\$)?$/i.test(sign.trim());

/** Returns a foreign currency's sign in a format, or null. */
function otherCurrency(format: string): string | null {
  const [, bracketed] = /\[\$([^\]-]{1,10})(?:-[^\]]{0,10})?\]/.exec(format) ?? [];
  const [, quoted] = /"\s?(USD|U\$S|US\$|EUR|€|BRL|UYU|CLP)\s?"/i.exec(format) ?? [];
  const sign = bracketed ?? quoted ?? '';
  return isPeso(sign) ? null : sign.trim();
}

/**
 * Returns true for formats that change the displayed number: leading zeros, or another currency.
 */
export const changesNumber = (format: string): boolean =>
  /^0{2,30}$/.test(format) || otherCurrency(format) !== null;

/** Adds the currency or leading zeros of a format that `changesNumber` accepts. */
export function formatNumber(number: number, format: string): string | number {
  const currency = otherCurrency(format);
  if (currency !== null) return `${currency} ${number}`;
  return Number.isInteger(number) && number >= 0
    ? String(number).padStart(format.length, '0')
    : number;
}
