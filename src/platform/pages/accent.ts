import { hash } from 'node:crypto';
import {
  black,
  type Color,
  colorText,
  contrast,
  mixed,
  parseColor,
  readableOn,
  white,
} from '../../kernel/color.ts';
import type { App } from '../http/server.ts';

/** Minimum contrast of text and of buttons on their background (WCAG AA). */
export const leastContrast = 4.5;

/** Backgrounds that tokens.css puts behind accents. */
const byDay = { paper: white, ground: [243, 246, 247] as Color };
const byNight = { paper: [23, 33, 42] as Color, ground: [14, 21, 27] as Color };
const darkText: Color = [6, 35, 30];

/** Returns a color's lowest contrast with the light scheme's backgrounds. */
const worstByDay = (color: Color): number =>
  Math.min(...Object.values(byDay).map((ground) => contrast(color, ground)));

/**
 * Returns an accent's insufficient contrast, with the nearest sufficient color, or null if it is
 * sufficient. `format`: the text is not a color.
 */
export function accentFault(text: string): { ratio: number; nearest: string } | 'format' | null {
  const color = parseColor(text);
  if (color === null) return 'format';
  const ratio = worstByDay(color);
  if (ratio >= leastContrast) return null;
  const nearest = readableOn(color, black, Object.values(byDay), leastContrast) ?? black;
  return { ratio, nearest: colorText(nearest) };
}

/** Returns the faint background on which an accent stays readable. */
function softOf(accent: Color, paper: Color, share: number): Color {
  const soft = mixed(paper, accent, share);
  return share < 0.005 || contrast(accent, soft) >= leastContrast
    ? soft
    : softOf(accent, paper, share - 0.01);
}

export interface Scheme {
  accent: string;
  /** The accent on hover. */
  dark: string;
  soft: string;
  on: string;
}

/**
 * Returns an accent's tokens for the light scheme, and lightened ones for the dark scheme. Returns
 * null if the text is not a color, or its contrast is insufficient.
 */
export function schemesOf(text: string): { day: Scheme; night: Scheme } | null {
  const color = parseColor(text);
  if (color === null || accentFault(text) !== null) return null;
  const grounds = [...Object.values(byNight), darkText];
  const light = readableOn(color, white, grounds, leastContrast) ?? white;
  return {
    day: {
      accent: colorText(color),
      dark: colorText(mixed(color, black, 0.25)),
      soft: colorText(softOf(color, byDay.paper, 0.1)),
      on: colorText(white),
    },
    night: {
      accent: colorText(light),
      dark: colorText(mixed(light, white, 0.3)),
      soft: colorText(softOf(light, byNight.paper, 0.16)),
      on: colorText(darkText),
    },
  };
}

const tokens = ({ accent, dark, soft, on }: Scheme): string =>
  `:root{--accent:${accent};--accent-dark:${dark};--accent-soft:${soft};--on-accent:${on}}`;

function sheetOf(text: string): string | null {
  const schemes = schemesOf(text);
  if (schemes === null) return null;
  return `@media screen{${tokens(schemes.day)}}\n@media screen and (prefers-color-scheme:dark){${tokens(schemes.night)}}\n`;
}

/** Version of the token rules, part of the address so that a new version bypasses caches. */
const generation = hash('sha256', sheetOf('#0b6b5d') ?? '', 'hex').slice(0, 8);

/** Returns the address of an accent's style sheet, whose content the color determines. */
export const accentSheet = (accent: string): string =>
  `/page-assets/accent/${generation}-${accent.slice(1).toLowerCase()}.css`;

/** Serves the style sheet of every valid accent. */
export function accentRoutes(app: App): void {
  app.get('/page-assets/accent/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params as { file: string };
    const hex = /^[0-9a-f]{8}-([0-9a-f]{6})\.css$/.exec(file)?.[1];
    const sheet = hex === undefined ? null : sheetOf(`#${hex}`);
    if (sheet === null) {
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('');
    }
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(sheet);
  });
}
