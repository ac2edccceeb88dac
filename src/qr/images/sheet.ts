import { formatDay } from '../../kernel/dates.ts';
import { markupText } from '../../kernel/markup.ts';
import { formatPesos } from '../../kernel/money.ts';
import type { Printable } from './printable.ts';

/** Twelve per A4 page, with space to cut. A code never breaks across pages. */
const style = `
  @page { size: A4; margin: 10mm; }
  * { box-sizing: border-box; }
  body { margin: 0; font: 9pt/1.25 system-ui, sans-serif; color: #000; background: #fff; }
  main { display: grid; padding-right: 0.2mm; grid-template-columns: repeat(3, 1fr); }
  figure { margin: 0; padding: 3mm; height: 69mm; overflow: hidden; text-align: center;
    border: 0.2mm dashed #999; break-inside: avoid; }
  img { width: 40mm; height: 40mm; }
  figcaption > * { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .total { font-size: 12pt; font-weight: 700; }
  small { font-size: 7pt; }
  .more { grid-column: 1 / -1; padding: 4mm; font-size: 11pt; }
  @media print { .more { display: none; } }
`;

export const sheetHead = (holder: string): string =>
  `<!doctype html>
<html lang="es-AR">
<meta charset="utf-8">
<title>Códigos QR de ${markupText(holder)}</title>
<style>${style}</style>
<main>
`;

export const sheetEnd = '</main>\n</html>\n';

/** Links to the next part of the sheet. Hidden in print. */
export const sheetMore = (address: string, no: number): string =>
  `<p class="more"><a href="${markupText(address)}">Hay más códigos: hoja ${no}</a></p>\n`;

const amountOf = ({ kind, total }: Printable): string => {
  if (total !== null) return formatPesos(total);
  return kind === 'static' ? 'Pagá con QR' : '';
};

/**
 * Renders one code with its facts for payers. `image` is the picture's address, or the picture
 * itself.
 */
export function sheetItem(qr: Printable, image: string): string {
  const lines = [
    `<strong>${markupText(qr.title)}</strong>`,
    `<span>${markupText(qr.description)}</span>`,
    `<span class="total">${amountOf(qr)}</span>`,
    ...(qr.due === null ? [] : [`<span>Vence el ${formatDay(qr.due).replaceAll('-', '/')}</span>`]),
    `<small>${markupText(qr.id)}</small>`,
  ];
  const alt = `Código QR ${markupText(qr.id)}`;
  return `<figure><img src="${image}" alt="${alt}"><figcaption>${lines.join('')}</figcaption></figure>\n`;
}
