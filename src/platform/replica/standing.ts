import type { Mark, PrimaryMark, ReplicaState } from './marks.ts';

/** The present usefulness of a replica. */
export type Standing =
  /** It has all that was committed so long ago, and lacks something for `lagMs`. */
  | { kind: 'in use'; staleMs: number; lagMs: number }
  /** It lacks more than is allowed; null: longer than is remembered. */
  | { kind: 'lagging'; lagMs: number | null }
  /** It has a mark that this process has not seen on the primary yet. */
  | { kind: 'unknown' }
  | { kind: 'away'; message: string }
  /** It takes writes itself: it was promoted, or is the primary. */
  | { kind: 'no standby' }
  /** It is another database, or its history parted from that of the primary. */
  | { kind: 'another database' };

interface Known extends Mark {
  /** By when it was made, by this process's steady clock; never later than it was. */
  atMs: number;
}

/** Some minutes of them. */
const mostKnown = 600;

/** The marks of the primary as this process saw them, and what those of a replica say by them. */
export class Standings {
  readonly #known = new Map<number, Known>();
  readonly #boundMs: number;
  #newest: Known | null = null;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
  }

  /** Learns a mark of the primary, which was asked for at `askedMs`. */
  learn({ born, no, mark, age_ms: ageMs }: PrimaryMark, askedMs: number): void {
    if (this.#newest && (no < this.#newest.no || born !== this.#newest.born)) {
      // Another primary than before: nothing of the former says anything about it.
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

  /** The first mark behind a number that is not the newest. */
  #next(no: number): Known {
    for (const known of this.#known.values()) if (known.no > no) return known;
    throw new Error('a mark without one behind it');
  }

  #forget(): void {
    this.#known.clear();
    this.#newest = null;
  }
}
