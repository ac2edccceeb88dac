import { toWinAnsi } from './winansi.ts';

/** The part of pdfkit's document that text layout needs. */
export type Typesetter = {
  font(name: string): Typesetter;
  fontSize(size: number): Typesetter;
  widthOfString(text: string): number;
  fillColor(color: string): Typesetter;
  text(
    text: string,
    x: number,
    y: number,
    options: { lineBreak: false; characterSpacing?: number },
  ): Typesetter;
};

/** A standard font, its size in points, and a CSS color. Default: black. */
export type Style = { readonly font: string; readonly size: number; readonly color?: string };

/** Returns the distance between baselines, in points. */
export function leading(style: Style): number {
  return Math.ceil(style.size * 1.32);
}

function use(pdf: Typesetter, style: Style): void {
  pdf.font(style.font).fontSize(style.size);
}

/**
 * Breaks text into lines of at most `width` points: at line breaks, then at spaces, then within a
 * long word. If there are more than `maxLines`, the last line ends in an ellipsis.
 */
export function wrap(
  pdf: Typesetter,
  text: string,
  width: number,
  style: Style,
  maxLines = Number.POSITIVE_INFINITY,
): string[] {
  use(pdf, style);
  const fits = (line: string) => pdf.widthOfString(line) <= width;
  const lines = toWinAnsi(text)
    .split('\n')
    .flatMap((paragraph) => wrapParagraph(paragraph, fits));
  if (lines.length <= maxLines) return lines;
  let last = lines[maxLines - 1] ?? '';
  while (last !== '' && !fits(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`];
}

function wrapParagraph(paragraph: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line)) {
      const cut = longestFit(line, fits);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  return [...lines, line];
}

/** Returns the number of leading characters that fit, at least one. */
function longestFit(word: string, fits: (line: string) => boolean): number {
  let low = 1;
  let high = word.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(word.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Position of a line: from `x` rightwards, ending at `x`, or centered on it. */
export type Anchor = 'start' | 'end' | 'middle';

/** Prints a single line. `y` is its top. */
export function printLine(
  pdf: Typesetter,
  line: string,
  x: number,
  y: number,
  style: Style,
  anchor: Anchor = 'start',
): void {
  if (line === '') return;
  use(pdf, style);
  const shift = anchor === 'start' ? 0 : pdf.widthOfString(line) / (anchor === 'end' ? 1 : 2);
  pdf.fillColor(style.color ?? '#000').text(line, x - shift, y, { lineBreak: false });
}

/** Prints lines from `y` down. Returns the `y` below them. */
export function printLines(
  pdf: Typesetter,
  lines: readonly string[],
  x: number,
  y: number,
  style: Style,
): number {
  lines.forEach((line, index) => {
    printLine(pdf, line, x, y + index * leading(style), style);
  });
  return y + lines.length * leading(style);
}
