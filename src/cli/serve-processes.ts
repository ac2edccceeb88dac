import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Config, hostInUrl } from '../config/index.ts';
import { drainMsOf } from '../config/process.ts';
import { type Database, openDatabase, type Staying } from '../database.ts';
import { freePort, portToListen } from '../platform/http/free-port.ts';
import type { Log } from '../platform/log.ts';
import { serveMetrics } from '../platform/metrics.ts';
import { type Budget, budgetOf } from '../platform/processes/budget.ts';
import { createPrimary, type Primary } from '../platform/processes/primary.ts';
import { type Running, runUntilSignal } from './running.ts';
import { type StartFacts, welcome } from './welcome.ts';

/** Entry point of each process. */
const entry = fileURLToPath(new URL('./process.js', import.meta.url));

/** Variables that differ between each process and the primary. */
function environmentsOf(
  config: Config,
  { processes, pool }: Budget,
  { port, embedded }: { port: number; embedded: Database['embedded'] },
): Record<string, string>[] {
  return Array.from({ length: processes }, (_none, no) => ({
    PROCESSES: '1',
    PORT: String(port),
    DATABASE_POOL: String(pool),
    // The first process runs scheduled work, the others only answer calls.
    ROLES: (no === 0 ? config.ROLES : config.ROLES.filter((role) => role !== 'worker')).join(','),
    ...(embedded && { DATABASE_URL: embedded.url, DATABASE_OWNER_URL: embedded.ownerUrl }),
  }));
}

interface Machine extends Running {
  startFacts: StartFacts;
  primary: Primary;
}

async function startAll(
  config: Config,
  log: Log,
  { database, stopping }: { database: Database; stopping: AbortSignal },
): Promise<Machine> {
  const { HOST: host } = config;
  const port = config.PORT === 0 ? await freePort(host) : await portToListen(host, config.PORT);
  const asManyAsFit = config.PROCESSES === 'auto';
  const budget = await budgetOf(database.sql, {
    processes: config.PROCESSES === 'auto' ? availableParallelism() : config.PROCESSES,
    pool: config.DATABASE_POOL,
    asManyAsFit,
    pooled: config.DATABASE_DIRECT_URL !== null,
  });
  const environments = environmentsOf(config, budget, { port, embedded: database.embedded });
  const primary = createPrimary({ entry, environments, log, drainMs: drainMsOf(config) });
  const measures = await serveMetrics(primary, config.METRICS_HOST, config.METRICS_PORT);
  const { port: metricsPort } = measures.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    await primary.stop();
    await new Promise((resolve) => measures.close(resolve));
    await database.close();
  };
  // Abandoning a start ends its processes.
  const abandon = (): void => void primary.stop();
  stopping.addEventListener('abort', abandon, { once: true });
  try {
    const startFacts = (await primary.start()) as StartFacts;
    stopping.removeEventListener('abort', abandon);
    log.info(budget, 'processes answer on one port');
    const metricsUrl = `http://${hostInUrl(config.METRICS_HOST)}:${metricsPort}/metrics`;
    return { startFacts: { ...startFacts, metricsUrl }, primary, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Runs the service as several processes. Returns false if their number is automatic and the machine
 * has one core.
 */
export async function runProcesses(config: Config, log: Log): Promise<boolean> {
  if (config.PROCESSES === 'auto' && availableParallelism() === 1) return false;
  let primary: Primary | null = null;
  process.on('SIGHUP', () => {
    log.info('SIGHUP: replacing every process, one after another');
    void primary?.roll();
  });
  const begin = async (staying: Required<Staying>): Promise<Machine> => {
    const database = await openDatabase({ ...config, DATABASE_POOL: 1 }, log, 'primary', staying);
    try {
      return await startAll(config, log, { database, stopping: staying.stopping });
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const machine = await runUntilSignal(log, begin, {}, drainMsOf(config));
  if (!machine) return true;
  primary = machine.primary;
  welcome(machine.startFacts, config);
  return true;
}
