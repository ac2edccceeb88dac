/** Numbers that follow from a seed alone, so that a history can be played again. */
export interface Random {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** True so many times of a hundred. */
  percent(n: number): boolean;
  one<T>(list: readonly T[]): T | undefined;
  /** One of the names, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

/** mulberry32: small, and good enough to choose steps with. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    percent: (n) => below(100) < n,
    one: (list) => list[below(list.length)],
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = below(names.reduce((sum, name) => sum + weights[name], 0));
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      throw new Error('no weights');
    },
  };
}
