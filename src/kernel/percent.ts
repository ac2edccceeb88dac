const mostDecimals = 4;

/**
 * Parses a percentage from 0 to 100 with up to four decimals as parts per million. Returns null if
 * it is invalid.
 */
export function parsePercent(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text);
  const ppm = match ? Number(`${match[1]}${(match[2] ?? '').padEnd(mostDecimals, '0')}`) : -1;
  return ppm >= 0 && ppm <= 1_000_000 ? ppm : null;
}

/** Formats parts per million as a percentage with at least two decimals: `1.50`. */
export const percentText = (ppm: number): string =>
  (ppm / 10_000).toFixed(mostDecimals).replace(/0{1,2}$/, '');
