import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../../config/index.ts';
import { readReached } from '../../platform/backup/log-store.ts';
import { findBases } from '../../platform/backup/manifest.ts';
import { restore } from '../../platform/backup/restore.ts';
import { createLog } from '../../platform/log.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { withBase } from '../command.ts';
import { exits } from '../failure.ts';
import { exitWith, invocation } from '../invocation.ts';
import { type Answering, print, printRows, say } from '../print.ts';
import { backUp, runBackups } from './daemon.ts';
import { drill } from './drill.ts';
import { auditRestored, backupParts, sourceOf } from './parts.ts';

const mib = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

function createCommand(backup: Command): void {
  backup
    .command('create')
    .description('take a base backup and delete expired ones')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('backup create', async (context) => {
        const { config, sql } = context;
        const parts = backupParts(config);
        const taken = await backUp({ config, parts, source: sourceOf(context) }, sql);
        const { id, tarBytes, pieces } = taken.manifest;
        const stored = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
        const { removed, seconds } = taken;
        const text = `backup ${id}: ${mib(tarBytes)} MiB as ${mib(stored)} MiB, in ${seconds} s`;
        print(text, { id, bytes: tarBytes, stored, removed, seconds }, options);
      }),
    );
}

function runCommand(backup: Command): void {
  backup
    .command('run')
    .description('store the log continuously, and take and test a base backup every night')
    .action(() =>
      withBase('backup run', async (context) => {
        const { config, sql } = context;
        const log = createLog(config.LOG_LEVEL, invocation().stderr);
        const parts = backupParts(config);
        const signal = invocation().untilStopped();
        say(`storing backups in ${parts.store.place}`);
        await runBackups({ config, parts, source: sourceOf(context), live: sql, log, signal });
      }),
    );
}

function listCommand(backup: Command): void {
  backup
    .command('list')
    .description('list base backups, their state, and the end of the stored log')
    .option('--json', 'as JSON')
    .action(async (options: Answering) => {
      const { store, keys } = backupParts(readConfig(invocation().env));
      const reached = await readReached(store, keys);
      const rows = (await findBases(store, keys)).map((one) => ({
        id: one.id,
        state: one.state,
        ended: one.state === 'whole' ? one.manifest.endedAt : null,
        mib: mib(one.bytes),
        why: one.state === 'whole' ? null : one.why,
      }));
      printRows(rows, options);
      if (!options.json && reached !== null) say(`the log reaches ${reached.at}`);
    });
}

function drillCommand(backup: Command): void {
  backup
    .command('drill')
    .description(
      'restore the newest backup to a temporary folder and audit it; exits 1 on a mismatch',
    )
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('backup drill', async ({ config, sql }) => {
        const result = await drill(config, backupParts(config), sql);
        const { faults, accounts, seconds, reaches } = result;
        const found = faults.length === 0 ? `${accounts} accounts add up` : faults;
        const text = [`restored ${result.backup} up to ${reaches} in ${seconds} s`, found].flat();
        print(text, { ...result }, options);
        if (faults.length > 0) exitWith(exits.failed);
      }),
    );
}

export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('encrypted backups of the database, and restore drills');
  createCommand(backup);
  runCommand(backup);
  listCommand(backup);
  drillCommand(backup);
}

function momentIn(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new InvalidArgumentError(
      'This value must be a date-time with an offset, such as 2026-11-25T10:05:00-03:00.',
    );
  }
}

/** Skips ids that may have been issued after the restored moment. */
const idsAhead = 1_000_000;

const raiseIds = (sql: Sql) => sql`
  select setval(name, ${idsAhead}::bigint + case name
    when 'request_ids' then (select last_value from request_ids)
    else (select last_value from record_ids) end)
  from unnest(array['request_ids', 'record_ids']) as name`;

interface RestoreOptions extends Answering {
  to: string;
  at?: Temporal.Instant;
  backup?: string;
}

async function restoreTo({ to, at, backup, ...answering }: RestoreOptions): Promise<void> {
  const config = readConfig(invocation().env);
  const { store, keys, wall } = backupParts(config);
  const beganMs = wall.nowMs();
  const programs = config.BACKUP_POSTGRES_BIN;
  const target = { at: at ?? null, id: backup ?? null };
  const { base, reaches, embedded, looked } = await restore(
    { store, keys, to, programs, ...target },
    (sql) =>
      doing('command', async () => {
        await raiseIds(sql);
        return await auditRestored(config, sql);
      }),
  );
  const seconds = Math.round((wall.nowMs() - beganMs) / 1000);
  const { accounts, faults } = looked;
  const serve = embedded
    ? `start the service with DATA_DIR=${to}`
    : `start your PostgreSQL on ${to}/postgres`;
  const moment = String(at ?? reaches);
  const found = faults.length === 0 ? `${accounts} accounts add up` : faults;
  const text = [`restored ${base.id} up to ${moment} in ${seconds} s`, found, serve].flat();
  print(text, { backup: base.id, at: moment, folder: to, accounts, faults, seconds }, answering);
  if (faults.length > 0) exitWith(exits.failed);
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore the database as of any second into an empty folder, and audit it')
    .requiredOption('--to <folder>', 'empty folder; becomes a data directory')
    .option(
      '--at <moment>',
      'date-time with an offset, inclusive (default: the last stored one)',
      momentIn,
    )
    .option('--backup <id>', 'start from this base backup (default: the newest suitable one)')
    .option('--json', 'as JSON')
    .action((options: RestoreOptions) => restoreTo(options));
}
