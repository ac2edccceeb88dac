import { writeFile } from 'node:fs/promises';
import { exactly, type Figure, figure, ratioOf } from './numbers.ts';

export interface Target {
  /**
   * `least`: the ratio must reach it; `below`: stay under it; `most`: not exceed it; `none`: report
   * only.
   */
  bound: 'least' | 'below' | 'most' | 'none';
  ratio: number;
  /** The reference's name for readers. */
  of: string;
}

/** One line of the report: the service compared with a reference. */
export interface Result {
  name: string;
  ratio: Figure;
  ours: Figure;
  reference: Figure;
  target: Target;
  others: Record<string, Figure>;
}

/** Compares interleaved rounds: equal indices are the same round. */
export function compare(
  name: string,
  unit: string,
  rounds: { ours: readonly number[]; reference: readonly number[] },
  target: Target,
  others: Record<string, Figure> = {},
): Result {
  return {
    name,
    ratio: ratioOf(rounds.ours, rounds.reference),
    ours: figure(rounds.ours, unit),
    reference: figure(rounds.reference, unit),
    target,
    others,
  };
}

/** Reports a result next to another figure, without a target. */
export const told = (
  name: string,
  unit: string,
  rounds: { ours: readonly number[]; reference: readonly number[] },
  of: string,
  others: Record<string, Figure> = {},
): Result => compare(name, unit, rounds, { bound: 'none', ratio: 1, of }, others);

/** Requires a result to stay below a fixed limit. */
export function limit(
  name: string,
  ours: Figure,
  most: number,
  others: Record<string, Figure> = {},
): Result {
  const { unit } = ours;
  return {
    name,
    ratio: { value: ours.value / most, min: ours.min / most, max: ours.max / most, unit: 'x' },
    ours,
    reference: exactly(most, unit),
    target: { bound: 'below', ratio: 1, of: `${most} ${unit}` },
    others,
  };
}

/** Requires a result to reach a fixed figure. */
export function floor(
  name: string,
  ours: Figure,
  least: number,
  others: Record<string, Figure> = {},
): Result {
  const result = limit(name, ours, least, others);
  return { ...result, target: { ...result.target, bound: 'least' } };
}

const signs = { least: '>=', below: '<', most: '<=' } as const;

export function isMet({ ratio: { value }, target: { bound, ratio } }: Result): boolean {
  if (bound === 'none') return true;
  if (bound === 'least') return value >= ratio;
  return bound === 'most' ? value <= ratio : value < ratio;
}

export const targetText = ({ bound, ratio, of }: Target): string =>
  bound === 'none' ? `beside ${of}` : `${signs[bound]} ${ratio} x ${of}`;

function verdict(result: Result): string {
  if (result.target.bound === 'none') return 'told';
  return isMet(result) ? 'met' : 'NOT MET';
}

const digits = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);

const withSpread = ({ value, min, max, unit }: Figure): string =>
  min === max
    ? `${digits(value)} ${unit}`
    : `${digits(value)} ${unit} (${digits(min)}–${digits(max)})`;

/** Formats columns as wide as their widest cell, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats the report: the ratios first, then the figures they compare. */
export function reportText(results: readonly Result[]): string {
  const ratios = results.map((result) => [
    result.name,
    withSpread(result.ratio),
    targetText(result.target),
    verdict(result),
  ]);
  const details = results.flatMap(({ name, ours, reference, target, others }) => [
    [name, 'ours', withSpread(ours)],
    ['', target.of, withSpread(reference)],
    ...Object.entries(others).map(([other, value]) => ['', other, withSpread(value)]),
  ]);
  return [
    table([['case', 'ratio (rounds)', 'target', ''], ...ratios]),
    '',
    table([['case', 'measure', 'median (rounds)'], ...details]),
  ].join('\n');
}

/** Renders the `--json` output, by name of the result. */
export function reportJson(results: readonly Result[]): Record<string, unknown> {
  return Object.fromEntries(
    results.map(({ name, ratio, ours, reference, target, others }) => [
      name,
      {
        ratio: ratio.value,
        ours: ours.value,
        reference: reference.value,
        unit: ours.unit,
        target: targetText(target),
        others,
      },
    ]),
  );
}

export const writeJson = (file: string, results: readonly Result[]): Promise<void> =>
  writeFile(file, `${JSON.stringify(reportJson(results), null, 2)}\n`);
