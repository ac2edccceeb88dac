import type { Command } from 'commander';
import { type Config, readConfig } from '../../config/index.ts';
import { type Database, openDatabase } from '../../database.ts';
import { createLog } from '../../platform/log.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { exits } from '../failure.ts';
import { exitWith, invocation } from '../invocation.ts';
import { printRows } from '../print.ts';
import { backupChecks } from './backup.ts';
import { connectionChecks } from './connection.ts';
import { schemaChecks, serverChecks, whether } from './database.ts';
import {
  broken,
  type Check,
  type Checked,
  type Finding,
  look,
  messageOf,
  ok,
  runChecks,
} from './finding.ts';
import { keyChecks } from './keys.ts';
import { machineChecks } from './machine.ts';
import { misspelled } from './misspelled.ts';
import { lookAtSecretFiles, networkChecks, storeChecks } from './network.ts';
import { workChecks } from './work.ts';

/** Checks that need this release's tables. Skipped while migrations are pending. */
const checksOfTables: readonly Check<Checked>[] = [
  ...connectionChecks,
  ...keyChecks,
  ...schemaChecks,
  ...backupChecks,
  ...storeChecks,
  ...workChecks,
];

async function lookAtDatabase(config: Config): Promise<Record<string, Finding>> {
  const todo = 'Check DATABASE_URL, and that the server runs and accepts this machine.';
  let database: Database;
  try {
    database = await openDatabase(config, createLog('silent', invocation().stderr), 'doctor');
  } catch (error) {
    return { database: broken(messageOf(error), todo) };
  }
  try {
    return await doing('command', async () => {
      const parts = { config, database };
      const reached = await runChecks([{ what: 'database', todo, look: whether }], parts);
      if (reached.database?.state !== 'ok') return reached;
      const found = { ...reached, ...(await runChecks(serverChecks, parts)) };
      if (found.migrations?.state !== 'ok') return found;
      return { ...found, ...(await runChecks(checksOfTables, parts)) };
    });
  } finally {
    await database.close().catch(() => {});
  }
}

function lookAtVariables(env: NodeJS.ProcessEnv, { ENVIRONMENT }: Config): Finding {
  const strange = misspelled(Object.keys(env));
  if (strange.length === 0) return ok(`${ENVIRONMENT}, valid`);
  const [, meant] = strange[0] ?? [];
  return look(
    strange.map(([name, near]) => `${name} is not a variable, but ${near} is`).join('; '),
    `Rename it if you meant ${meant}: nothing reads it.`,
  );
}

async function lookAtAll(): Promise<Record<string, Finding>> {
  const { env } = invocation();
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    const todo = 'Correct the environment (docs/reference/configuration.md).';
    return { configuration: broken(messageOf(error), todo) };
  }
  const secretFiles = {
    what: 'secret files',
    todo: 'Check the files in DATA_DIR.',
    look: () => lookAtSecretFiles(config, env.CONNECTORS),
  };
  return {
    configuration: lookAtVariables(env, config),
    ...(await runChecks([secretFiles, ...networkChecks], config)),
    ...(await lookAtDatabase(config)),
    ...(await runChecks(machineChecks, config)),
  };
}

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check everything this deployment depends on; exits 1 if something is broken')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = Object.entries(await lookAtAll());
      printRows(
        findings.map(([what, finding]) => ({ what, ...finding })),
        options,
      );
      if (findings.some(([, { state }]) => state === 'broken')) exitWith(exits.failed);
    });
}
