import { DatabaseAway } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Sql } from '../postgres/connect.ts';
import { doing } from '../postgres/deadlines.ts';
import { openSnapshot, type Snapshot } from '../postgres/snapshot.ts';
import { askPrimary, askReplica, type LastDelivered, lookAtReplica, markPrimary } from './marks.ts';
import { type ReadSubject, type Replica, ReplicaLagging, type ReplicaSnapshot } from './reads.ts';
import { createReporter } from './reporter.ts';
import { type Standing, Standings } from './standing.ts';
import { createWriters, primaryForMs } from './writers.ts';

export interface ReplicaParts {
  primary: Sql;
  replica: Sql;
  /** A separate connection for health checks, so that long reads do not delay them. */
  looks: Sql;
  boundMs: number;
  lastDelivered: LastDelivered;
  log: Log;
  metrics: Metrics;
}

/** A replica with periodic health checks. */
export interface WatchedReplica extends Replica {
  look(): Promise<void>;
}

/** Frequent enough to see each mark: one is written per second. */
export const lookEveryMs = 500;

/** Returns false for a server's error, which concerns the statement and not the server's health. */
const isAway = (error: unknown): boolean => error instanceof DatabaseAway;

const away = (error: unknown): Standing => ({
  kind: 'away',
  message: error instanceof Error ? error.message : String(error),
});

class LookedAt implements WatchedReplica {
  readonly #parts: ReplicaParts;
  readonly #standings: Standings;
  readonly #writers;
  readonly #report;
  readonly #primaryForMs: number;
  #standing: Standing = { kind: 'unknown' };

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.#standings = new Standings(parts.boundMs);
    this.#writers = createWriters(parts.primary);
    this.#report = createReporter(parts);
    this.#primaryForMs = primaryForMs(parts.boundMs);
  }

  async look(): Promise<void> {
    const { primary, looks } = this.#parts;
    // Check the replica before the primary writes its next mark, so that earlier marks had time to
    // arrive.
    const standing = await doing('replica', async () => await lookAtReplica(looks)).then(
      (state) => this.#standings.judge(state, performance.now()),
      away,
    );
    // A read's error also sets the standing, to `away`. It stays until the next check sets it here.
    this.#standing = standing;
    this.#report(standing);
    this.#writers.forget(performance.now() - this.#primaryForMs);
    const requestedAtMs = performance.now();
    this.#standings.learn(
      await doing('replica', async () => await markPrimary(primary)),
      requestedAtMs,
    );
  }

  async open(subject: ReadSubject): Promise<ReplicaSnapshot | null> {
    const { kind } = this.#standing;
    if (kind !== 'in use' && kind !== 'unknown') return this.#primary(kind);
    if (!subject.holds && this.#writers.wrote(subject.accountId, this.#primaryForMs)) {
      return this.#primary('wrote');
    }
    try {
      return await this.ask(() => this.#open(subject));
    } catch (error) {
      this.met(error);
      return null;
    }
  }

  /**
   * Asks the primary first, because the replica must have at least that state. Returns null if the
   * primary must answer.
   */
  async #open(subject: ReadSubject): Promise<ReplicaSnapshot | null> {
    const { primary, replica, lastDelivered } = this.#parts;
    const { accountId, holds } = subject;
    const requestedAtMs = performance.now();
    const within = { withinMs: this.#primaryForMs, lastDelivered };
    // If the primary is down, the caller's own query reports it.
    const primaryState = await askPrimary(primary, accountId, within).catch(() => null);
    if (primaryState === null) return this.#primary('failed');
    this.#standings.learn(primaryState, requestedAtMs);
    if (!holds && primaryState.wrote) return this.#primary('wrote');
    const snapshot = await openSnapshot(replica);
    const refuse = async (why: string): Promise<null> => {
      await snapshot.close();
      return this.#primary(why);
    };
    try {
      const replicaState = await askReplica(snapshot.sql, accountId, lastDelivered);
      const { kind } = this.#standings.judge(replicaState, performance.now());
      if (kind !== 'in use') return await refuse(kind);
      if (!(holds ? await holds(snapshot.sql) : replicaState.delivered >= primaryState.delivered)) {
        return await refuse('behind');
      }
      return this.#closing(snapshot, replicaState.settled);
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  ask<T>(work: () => Promise<T>): Promise<T> {
    return doing('replica', work);
  }

  met(error: unknown): void {
    this.#primary(error instanceof ReplicaLagging ? 'behind' : 'failed');
    if (isAway(error)) this.#standing = away(error);
  }

  answered(): void {
    this.#parts.metrics.reads.inc({ side: 'replica', why: 'in use' });
  }

  writing<T>(accountId: string, write: () => Promise<T>): Promise<T> {
    return this.#writers.writing(accountId, write);
  }

  #primary(why: string): null {
    this.#parts.metrics.reads.inc({ side: 'primary', why });
    return null;
  }

  #closing({ sql, close }: Snapshot, settled: number): ReplicaSnapshot {
    return { sql, settled, close };
  }
}

export const createReplica = (parts: ReplicaParts): WatchedReplica => new LookedAt(parts);
