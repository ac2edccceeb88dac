import { AsyncLocalStorage } from 'node:async_hooks';

/** Every wait for the database ends: the one table of how long each may take, in milliseconds. */
export const deadlines = {
  /** To open a connection: address, TLS, password. */
  connectMs: 5_000,
  /** To get a connection of the pool. */
  poolMs: 5_000,
  /** To get one to the replica, before the primary is asked instead. */
  replicaPoolMs: 500,
  /** For the answer to one statement, by what it is part of. */
  statementMs: {
    /** A call of the API or of a page. */
    call: 10_000,
    /** The look at `/readyz`, which also has to end as a whole within this time. */
    readiness: 2_000,
    /** Queries on a replica, and on the primary about it: there is a fallback. */
    replica: 2_000,
    /** A piece of a long answer, a piece of a COPY. */
    stream: 30_000,
    /** Sweeps, imports, deliveries: work that retries when it fails. */
    sweep: 60_000,
    /** A command of the operator's, who sees it run; a migration; a lock that others hold. */
    command: 900_000,
  },
  /** For a connection that is given up to take leave. */
  farewellMs: 1_000,
  /** Between two looks whether a connection is still there that only listens, or holds a lock. */
  heartbeatMs: 15_000,
  /**
   * For a transaction that waits for its process: one that hangs, or whose machine is gone, holds up
   * all others with what it held, until the server ends it.
   */
  hungMs: 120_000,
} as const;

/** Kinds of work; each has its statement timeout. */
export type Work = keyof typeof deadlines.statementMs;

/** Facts gathered during a piece of work. */
export interface Trace {
  /** True if a write was sent that may have been committed. */
  wrote: boolean;
  /** The member of a body in which a card number was found that is not refused there. */
  cardIn?: string;
}

/** The work that a caller's statements belong to. */
interface Errand {
  readonly work: Work;
  readonly trace: Trace;
}

const errands = new AsyncLocalStorage<Errand>();

/** The errand that the caller is part of; a call's if nobody said otherwise. */
export const currentErrand = (): Errand =>
  errands.getStore() ?? { work: 'call', trace: { wrote: false } };

/** Runs `run` and whatever it starts under the deadlines of that kind of work. */
export const doing = <T>(work: Work, run: () => T, trace = currentErrand().trace): T =>
  errands.run({ work, trace }, run);

/** Notes that a card number stands where the caller may have any digits. */
export const noteCardIn = (name: string): void => {
  currentErrand().trace.cardIn = name;
};

/** Returns the current statement timeout of the caller. */
export const statementMs = (): number => deadlines.statementMs[currentErrand().work];
