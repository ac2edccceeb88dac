import type { Mark, PrimaryMark, ReplicaState } from './marks.ts';

/** The present usefulness of a replica. */
export type Standing =
  /** It has all commits up to `staleMs` ago, and has lacked some for `lagMs`. */
  | { kind: 'in use'; staleMs: number; lagMs: number }
  /** It lags more than allowed; null: longer than the remembered marks. */
  | { kind: 'lagging'; lagMs: number | null }
  /** It has a mark that this process has not yet seen on the primary. */
  | { kind: 'unknown' }
  | { kind: 'away'; message: string }
  /** It takes writes: it was promoted, or is the primary. */
  | { kind: 'no standby' }
  /** It is another database, or its history parted from that of the primary. */
  | { kind: 'another database' };

interface Known extends Mark {
  /** Time of its creation on this process's steady clock; never too late. */
  atMs: number;
}

/** Some minutes of marks. */
const mostKnown = 600;

/** Judges a replica's marks by those that this process saw on the primary. */
export class Standings {
  readonly #known = new Map<number, Known>();
  readonly #boundMs: number;
  #newest: Known | null = null;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
  }

  /** Records a mark of the primary, requested at `askedMs`. */
  learn({ born, no, mark, age_ms: ageMs }: PrimaryMark, askedMs: number): void {
    if (this.#newest && (no < this.#newest.no || born !== this.#newest.born)) {
      // A new primary: marks of the former one prove nothing.
      if (born !== this.#newest.born || this.#known.get(no)?.mark !== mark) this.#forget();
      else return;
    }
    if (this.#newest?.no === no) {
      if (this.#newest.mark === mark) return;
      this.#forget();
    }
    this.#newest = { born, no, mark, atMs: askedMs - Math.max(0, ageMs) };
    this.#known.set(no, this.#newest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  judge(shown: ReplicaState, nowMs: number): Standing {
    if (!shown.standby) return { kind: 'no standby' };
    if (!this.#newest) return { kind: 'unknown' };
    if (shown.born !== this.#newest.born) return { kind: 'another database' };
    const known = this.#known.get(shown.no);
    if (!known) {
      return shown.no > this.#newest.no ? { kind: 'unknown' } : { kind: 'lagging', lagMs: null };
    }
    if (known.mark !== shown.mark) return { kind: 'another database' };
    const staleMs = nowMs - known.atMs;
    const lagMs = known === this.#newest ? 0 : nowMs - this.#next(shown.no).atMs;
    return staleMs > this.#boundMs
      ? { kind: 'lagging', lagMs }
      : { kind: 'in use', staleMs, lagMs };
  }

  /** The first known mark after an older number. */
  #next(no: number): Known {
    for (const known of this.#known.values()) if (known.no > no) return known;
    throw new Error('a mark without one behind it');
  }

  #forget(): void {
    this.#known.clear();
    this.#newest = null;
  }
}
