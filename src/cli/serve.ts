import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { drainMsOf } from '../config-process.ts';
import type { Staying } from '../database.ts';
import { createLog } from '../platform/log.ts';
import type { Company } from '../platform/processes/company.ts';
import { exits, failureOf } from './failure.ts';
import { runUntilSignal } from './running.ts';
import { toldOf, welcome } from './welcome.ts';

/** Runs the service as one process, or starts as many as are wanted. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
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
  if (service) welcome(toldOf(service), config);
}

/** Runs as one of a machine's processes: its primary speaks for it. */
export async function runProcess(company: Company): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = createLog(config.LOG_LEVEL);
    const { serve } = await import('../main.ts');
    const begin = (staying: Staying) => serve(config, log, staying, company);
    const service = await runUntilSignal(log, begin, company, drainMsOf(config));
    if (service) company.ready(toldOf(service));
  } catch (error) {
    await company.failed(failureOf(error).message);
    process.exit(exits.failed);
  }
}

export function serveCommands(program: Command): void {
  program.command('serve').description('run the service').action(run);
}
