// Contrast of screen colors (WCAG 2.2).

/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

/** Parses a color such as `#0b6b5d`. Returns null if it is malformed. */
export function parseColor(text: string): Color | null {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex === undefined) return null;
  const part = (index: number): number => Number.parseInt(hex.slice(index, index + 2), 16);
  return [part(0), part(2), part(4)];
}

export const colorText = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

export const white: Color = [255, 255, 255];
export const black: Color = [0, 0, 0];

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the relative luminance, 0 (black) to 1 (white). */
const luminance = ([red, green, blue]: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Returns the contrast ratio of two colors, 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes a share, 0 to 1, of the second color into the first. */
export const mixed = (one: Color, other: Color, share: number): Color => {
  const part = (index: 0 | 1 | 2): number =>
    Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
};

/**
 * Mixes in just enough of another color to give a color a contrast of at least `least` with every
 * background. Returns null if even the other color has less.
 */
export function readableOn(
  color: Color,
  towards: Color,
  grounds: readonly Color[],
  least: number,
): Color | null {
  for (let share = 0; share <= 100; share += 1) {
    const tried = mixed(color, towards, share / 100);
    if (grounds.every((ground) => contrast(tried, ground) >= least)) return tried;
  }
  return null;
}
