/** Numbers that depend on a seed alone, so that a history can be replayed. */
export interface Random {
  /** Returns a whole number from 0 to `n - 1`. */
  below(n: number): number;
  /** Returns a whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** Returns true in `n` of a hundred cases. */
  percent(n: number): boolean;
  one<T>(list: readonly T[]): T | undefined;
  /** Returns one of the names, in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

/** Creates a mulberry32 generator: small, and random enough to choose steps. */
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
