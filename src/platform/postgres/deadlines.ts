import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '../tracing.ts';

/** Deadlines of every wait for the database, in milliseconds. */
export const deadlines = {
  /** Opening a connection: address, TLS, password. */
  connectMs: 5_000,
  /** Getting a pool connection. */
  poolMs: 5_000,
  /** Getting a replica connection before falling back to the primary. */
  replicaPoolMs: 500,
  /** One statement, by kind of work. */
  statementMs: {
    /** A call of the API or a page. */
    call: 10_000,
    /** The check at `/readyz`, for each statement and as a whole. */
    readiness: 2_000,
    /** Queries on a replica, or to the primary about a replica. Both have a fallback. */
    replica: 2_000,
    /** A piece of a long answer or of a COPY. */
    stream: 30_000,
    /** Sweeps, imports, deliveries: work that is retried. */
    sweep: 60_000,
    /** A command that an operator watches, a migration, or a lock. */
    command: 900_000,
  },
  /** Waits of a migration for locks: see `LockWaits`. */
  migration: { lockMs: 3_000, pauseMs: 5_000, giveUpMs: 900_000 },
  /** Closing an abandoned connection. */
  farewellMs: 1_000,
  /** Interval of checks of a connection that only listens or holds a lock. */
  heartbeatMs: 15_000,
  /**
   * An idle transaction. Until the server ends it, the locks of a hung process or a lost machine
   * block everyone.
   */
  hungMs: 120_000,
} as const;

/** Kinds of work, each with a statement timeout. */
export type Work = keyof typeof deadlines.statementMs;

export interface Trace {
  /** True if a write was sent that may have been committed. */
  wrote: boolean;
  /** Name of a body member that was sent a card number although it accepts any digits. */
  cardIn?: string;
  /** The span of the work, if traces are exported. */
  span?: Span;
}

/** The work that a caller's statements belong to. */
interface Errand {
  readonly work: Work;
  readonly trace: Trace;
}

const errands = new AsyncLocalStorage<Errand>();

/** Returns the caller's errand. Default: a call's. */
export const currentErrand = (): Errand =>
  errands.getStore() ?? { work: 'call', trace: { wrote: false } };

/** Runs `run` and everything it starts under the deadlines of that kind of work. */
export const doing = <T>(work: Work, run: () => T, trace = currentErrand().trace): T =>
  errands.run({ work, trace }, run);

/** Records the name of a field that accepts any digits and was sent a card number. */
export const noteCardIn = (name: string): void => {
  currentErrand().trace.cardIn = name;
};

export const statementMs = (): number => deadlines.statementMs[currentErrand().work];

export const statementSpan = (): Span | undefined =>
  currentErrand().trace.span?.child('statement', 'client', { 'db.system.name': 'postgresql' });
