import { type Centavos, plus, zero } from '../../kernel/money.ts';
import type { Judged } from './judge.ts';

/** Counts of rows of one kind and state, by outcome. */
export interface Tally {
  kind: string;
  state: string;
  rows: number;
  amount: Centavos;
  /** Valid and not moved yet. */
  sound: number;
  /** Moved before. */
  there: number;
  faulty: number;
  left_out: number;
  /** Repetitions of an id. */
  repeated: number;
}

/** Counts judged rows by kind and state. */
export class Tallies {
  readonly #all = new Map<string, Tally>();

  add({ row, outcome }: Judged): void {
    const { kind, state, amount } = row;
    const name = `${kind} ${state}`;
    const tally = this.#all.get(name) ?? {
      ...{ kind, state, rows: 0, amount: zero },
      ...{ sound: 0, there: 0, faulty: 0, left_out: 0, repeated: 0 },
    };
    tally.rows += 1;
    if (outcome !== 'repeated') tally.amount = plus(tally.amount, amount ?? zero);
    tally[outcome] += 1;
    this.#all.set(name, tally);
  }

  list(): Tally[] {
    return [...this.#all.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([, one]) => one);
  }
}
