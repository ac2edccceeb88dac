import { AsyncLocalStorage } from 'node:async_hooks';

/** The deadlines of every wait for the database, in milliseconds. */
export const deadlines = {
  /** To open a connection: address, TLS, password. */
  connectMs: 5_000,
  /** To get a connection of the pool. */
  poolMs: 5_000,
  /** To get a replica connection, before the primary is asked instead. */
  replicaPoolMs: 500,
  /** For one statement, by its errand. */
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
    /** A command that an operator watches; a migration; a lock. */
    command: 900_000,
  },
  /** For an abandoned connection to close. */
  farewellMs: 1_000,
  /** Between two looks whether a connection is still there that only listens, or holds a lock. */
  heartbeatMs: 15_000,
  /**
   * For a transaction whose process is idle: the locks of a hung process, or of a lost machine,
   * block everyone until the server ends it.
   */
  hungMs: 120_000,
} as const;

/** Kinds of work; each has its statement timeout. */
export type Work = keyof typeof deadlines.statementMs;

/** Facts gathered during a piece of work. */
export interface Trace {
  /** True if a write was sent that may have been committed. */
  wrote: boolean;
  /** The member of a body with a card number, if that member may have any digits. */
  cardIn?: string;
}

/** The work that a caller's statements belong to. */
interface Errand {
  readonly work: Work;
  readonly trace: Trace;
}

const errands = new AsyncLocalStorage<Errand>();

/** The caller's errand; a call's by default. */
export const currentErrand = (): Errand =>
  errands.getStore() ?? { work: 'call', trace: { wrote: false } };

/** Runs `run` and whatever it starts under the deadlines of that kind of work. */
export const doing = <T>(work: Work, run: () => T, trace = currentErrand().trace): T =>
  errands.run({ work, trace }, run);

/** Notes a card number in a member that may have any digits. */
export const noteCardIn = (name: string): void => {
  currentErrand().trace.cardIn = name;
};

/** Returns the current statement timeout of the caller. */
export const statementMs = (): number => deadlines.statementMs[currentErrand().work];
