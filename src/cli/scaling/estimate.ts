/** The load that a deployment must carry. */
export interface Load {
  /** Payment requests, debits and QRs that are created in a month. */
  requestsAMonth: number;
  /** Paid ones, in percent. */
  paidPercent: number;
  /** Reads of each, by its integrator. */
  readsEach: number;
  /** The busiest hour as a multiple of the month's average. */
  peak: number;
  /** Months that are kept. */
  monthsKept: number;
  /** Megabytes a second at which a copy of the database is put back. */
  restoreRate: number;
}

/**
 * Throughput of one core per second, rounded down from the latest figures of
 * docs/explanation/performance.md, where service, database and load share two cores. A payment's
 * cost is that of a whole flow less its create and its two reads. PostgreSQL does a fifth of a
 * read.
 */
export const aSecond = {
  process: { creates: 3_400, reads: 9_600, payments: 380 },
  database: { creates: 3_400, reads: 48_000, payments: 380 },
} as const;

/** Bytes on disk with all indexes, events, journals and seals; vacuumed, without what is logged. */
export const bytesEach = { request: 1_800, payment: 1_900 } as const;

/** A core is planned for half of what it carries: the other half is the bad day. */
const headroom = 2;

const secondsAMonth = 30 * 86_400;

/** The steps of docs/explanation/scaling.md. */
export const steps = [
  'one process',
  'every core of a machine',
  'several machines',
  'distributed by account (experimental)',
] as const;
export type Step = (typeof steps)[number];

/** Cores of one machine that serve, and what one server of PostgreSQL is, without further thought. */
const machine = { cores: 16 } as const;
const server = { cores: 64, bytes: 4e12 } as const;

export interface Estimate {
  /** In the busiest hour, a second. */
  creates: number;
  reads: number;
  payments: number;
  /** Cores that serve, and cores of the database. */
  processCores: number;
  databaseCores: number;
  bytesAMonth: number;
  bytesKept: number;
  restoreHours: number;
  /** The first step that carries it. */
  step: Step;
}

type Rates = Pick<Estimate, 'creates' | 'reads' | 'payments'>;

const coresFor = (rates: Rates, carried: Record<keyof Rates, number>): number => {
  const full = (['creates', 'reads', 'payments'] as const).reduce(
    (sum, name) => sum + rates[name] / carried[name],
    0,
  );
  return Math.max(1, Math.ceil(full * headroom));
};

type Size = Pick<Estimate, 'processCores' | 'databaseCores' | 'bytesKept'>;

function stepFor({ processCores, databaseCores, bytesKept }: Size): Step {
  if (bytesKept > server.bytes || databaseCores > server.cores)
    return 'distributed by account (experimental)';
  if (processCores > machine.cores) return 'several machines';
  return processCores > 1 ? 'every core of a machine' : 'one process';
}

/** Works out what a load needs: an order of magnitude, which a trial with the own load then corrects. */
export function estimate(load: Load): Estimate {
  const average = load.requestsAMonth / secondsAMonth;
  const creates = average * load.peak;
  const paid = load.paidPercent / 100;
  const rates = { creates, reads: creates * load.readsEach, payments: creates * paid };
  const processCores = coresFor(rates, aSecond.process);
  const bytesAMonth = load.requestsAMonth * (bytesEach.request + paid * bytesEach.payment);
  const bytesKept = bytesAMonth * load.monthsKept;
  const size = { processCores, databaseCores: coresFor(rates, aSecond.database), bytesKept };
  return {
    ...rates,
    ...size,
    bytesAMonth,
    restoreHours: bytesKept / (load.restoreRate * 1e6) / 3_600,
    step: stepFor(size),
  };
}
