/** A measure over all rounds: the median, the smallest and the largest. */
export interface Figure {
  value: number;
  min: number;
  max: number;
  unit: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('There is no median of nothing.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns the nearest-rank percentile. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError('There is no percentile of nothing.');
  return value;
}

export function figure(values: readonly number[], unit: string): Figure {
  return { value: median(values), min: Math.min(...values), max: Math.max(...values), unit };
}

/** A constant figure, such as a limit. */
export const exactly = (value: number, unit: string): Figure => ({
  value,
  min: value,
  max: value,
  unit,
});

/** Returns the ratio of the medians. Its spread is that of the ratios per round. */
export function ratioOf(ours: readonly number[], reference: readonly number[]): Figure {
  const rounds = ours.map((value, index) => value / (reference[index] ?? Number.NaN));
  return {
    value: median(ours) / median(reference),
    min: Math.min(...rounds),
    max: Math.max(...rounds),
    unit: 'x',
  };
}
