import type { Command } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import { drainMsOf } from '../config/process.ts';
import type { Staying } from '../database.ts';
import type { Service } from '../main.ts';
import { createLog, type Log } from '../platform/log.ts';
import type { Company } from '../platform/processes/company.ts';
import { exits, failureOf } from './failure.ts';
import { runUntilSignal } from './running.ts';
import { sayDemo, sayDemoBegins, startFactsOf, welcome } from './welcome.ts';

/** Starts the service and seeds the demo before reporting readiness. */
async function serveDemo(config: Config, log: Log, staying: Required<Staying>): Promise<Service> {
  const { serve } = await import('../main.ts');
  const { seedDemo } = await import('../demo.ts');
  const service = await serve(config, log, staying);
  try {
    const accountId = service.demo?.accountId;
    if (accountId === undefined) throw new Error('A sandbox without an account.');
    sayDemoBegins(startFactsOf(service));
    const { parts, call } = service;
    sayDemo(await seedDemo({ config, parts, accountId, call, stopping: staying.stopping }));
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Runs the service with three months of data, in one process. */
async function runDemo(config: Config, log: Log): Promise<void> {
  if (config.ENVIRONMENT === 'production') {
    throw new Error(
      '--demo invents payments, so it works only in a sandbox, and this is production.',
    );
  }
  const service = await runUntilSignal(
    log,
    (staying) => serveDemo(config, log, staying),
    {},
    drainMsOf(config),
  );
  if (service) welcome(startFactsOf(service), config);
}

/** Runs the service in one process, or in the configured number. */
async function run({ demo = false }: { demo?: boolean } = {}): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  if (demo) return await runDemo(config, log);
  if (config.PROCESSES !== 1) {
    const { runProcesses } = await import('./serve-processes.ts');
    if (await runProcesses(config, log)) return;
  }
  const { serve } = await import('../main.ts');
  const service = await runUntilSignal(
    log,
    (staying) => serve(config, log, staying),
    {},
    drainMsOf(config),
  );
  if (service) welcome(startFactsOf(service), config);
}

/** Runs as one of a machine's processes. The primary handles the output. */
export async function runProcess(company: Company): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = createLog(config.LOG_LEVEL);
    const { serve } = await import('../main.ts');
    const begin = (staying: Staying) => serve(config, log, staying, company);
    const service = await runUntilSignal(log, begin, company, drainMsOf(config));
    if (service) company.ready(startFactsOf(service));
  } catch (error) {
    await company.failed(failureOf(error).message);
    process.exit(exits.failed);
  }
}

export function serveCommands(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--demo', 'first fill a new sandbox with three months of data of a cooperative')
    .action(run);
}
