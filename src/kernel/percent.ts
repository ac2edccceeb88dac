const mostDecimals = 4;

/** A percentage from 0 to 100 with up to four decimals, in parts per million; null: it is none. */
export function parsePercent(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text);
  const ppm = match ? Number(`${match[1]}${(match[2] ?? '').padEnd(mostDecimals, '0')}`) : -1;
  return ppm >= 0 && ppm <= 1_000_000 ? ppm : null;
}

/** Parts per million as a percentage with at least two decimals: `1.50`. */
export const percentText = (ppm: number): string =>
  (ppm / 10_000).toFixed(mostDecimals).replace(/0{1,2}$/, '');
