import type { Mark, PrimaryMark, ReplicaState } from './marks.ts';

/** State of a replica that decides if it can serve reads. */
export type Standing =
  /** Has all commits up to `staleMs` ago, and lacks some of the last `lagMs`. */
  | { kind: 'in use'; staleMs: number; lagMs: number }
  /**
   * Lags more than allowed. `lagMs` is null if it exceeds the time for which marks are remembered.
   */
  | { kind: 'lagging'; lagMs: number | null }
  /** Has a mark that this process has not seen on the primary yet. */
  | { kind: 'unknown' }
  | { kind: 'away'; message: string }
  /** Accepts writes: it was promoted, or is the primary. */
  | { kind: 'no standby' }
  /** Is another database, or its history diverged from the primary's. */
  | { kind: 'another database' };

interface Known extends Mark {
  /** Time of creation on this process's monotonic clock, never too late. */
  atMs: number;
}

/** About ten minutes of marks. */
const mostKnown = 600;

/** Judges a replica's marks by those that this process saw on the primary. */
export class Standings {
  readonly #known = new Map<number, Known>();
  readonly #boundMs: number;
  #newest: Known | null = null;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
  }

  /** Records a primary's mark, requested at `requestedAtMs`. */
  learn({ born, no, mark, age_ms: ageMs }: PrimaryMark, requestedAtMs: number): void {
    if (this.#newest && (no < this.#newest.no || born !== this.#newest.born)) {
      // There is a new primary, and the marks of the former one prove nothing.
      if (born !== this.#newest.born || this.#known.get(no)?.mark !== mark) this.#forget();
      else return;
    }
    if (this.#newest?.no === no) {
      if (this.#newest.mark === mark) return;
      this.#forget();
    }
    this.#newest = { born, no, mark, atMs: requestedAtMs - Math.max(0, ageMs) };
    this.#known.set(no, this.#newest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  judge(state: ReplicaState, nowMs: number): Standing {
    if (!state.standby) return { kind: 'no standby' };
    if (!this.#newest) return { kind: 'unknown' };
    if (state.born !== this.#newest.born) return { kind: 'another database' };
    const known = this.#known.get(state.no);
    if (!known) {
      return state.no > this.#newest.no ? { kind: 'unknown' } : { kind: 'lagging', lagMs: null };
    }
    if (known.mark !== state.mark) return { kind: 'another database' };
    const staleMs = nowMs - known.atMs;
    const lagMs = known === this.#newest ? 0 : nowMs - this.#next(state.no).atMs;
    return staleMs > this.#boundMs
      ? { kind: 'lagging', lagMs }
      : { kind: 'in use', staleMs, lagMs };
  }

  /** Returns the first known mark above a number. */
  #next(no: number): Known {
    for (const known of this.#known.values()) if (known.no > no) return known;
    throw new Error('a mark without one behind it');
  }

  #forget(): void {
    this.#known.clear();
    this.#newest = null;
  }
}
