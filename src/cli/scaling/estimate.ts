export interface Load {
  /** Requests created per month: payment requests, debits and QRs. */
  requestsAMonth: number;
  /** Percentage of requests that are paid. */
  paidPercent: number;
  /** Reads per request by its integrator. */
  readsEach: number;
  /** Ratio of the busiest hour to the monthly average. */
  peak: number;
  /** Months of data to retain. */
  monthsKept: number;
  /** Restore rate of a database backup, in megabytes per second. */
  restoreRate: number;
}

/**
 * Operations per second and core, rounded down from the latest figures in
 * docs/explanation/performance.md, where service, database and load share two cores. A payment's
 * cost is that of a whole flow minus its create and two reads. PostgreSQL accounts for a fifth of a
 * read.
 */
export const aSecond = {
  process: { creates: 3_400, reads: 9_600, payments: 380 },
  database: { creates: 3_400, reads: 48_000, payments: 380 },
} as const;

/** Bytes on disk, including indexes, events, journals and seals, vacuumed and without WAL. */
export const bytesEach = { request: 1_800, payment: 1_900 } as const;

/** Plans for half a core's capacity, because the other half is for bad days. */
const headroom = 2;

const secondsAMonth = 30 * 86_400;

/** The steps in docs/explanation/scaling.md. */
export const steps = [
  'one process',
  'every core of a machine',
  'several machines',
  'distributed by account (experimental)',
] as const;
export type Step = (typeof steps)[number];

/** One machine's cores for the service, and one PostgreSQL server's, without special tuning. */
const machine = { cores: 16 } as const;
const server = { cores: 64, bytes: 4e12 } as const;

export interface Estimate {
  /** Per second in the busiest hour. */
  creates: number;
  reads: number;
  payments: number;
  /** Cores for the service, and cores for the database. */
  processCores: number;
  databaseCores: number;
  bytesAMonth: number;
  bytesKept: number;
  restoreHours: number;
  /** The first step that suffices. */
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

/**
 * Estimates the resources for a load, to an order of magnitude. A trial with the real load refines
 * it.
 */
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
