import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../../config/index.ts';
import { findBases } from '../../platform/backup/manifest.ts';
import { gapsAfter } from '../../platform/backup/plan.ts';
import { findReached } from '../../platform/backup/reached.ts';
import { restore } from '../../platform/backup/restore.ts';
import { createLog } from '../../platform/log.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { issuedSequences } from '../../platform/postgres/timeline.ts';
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
    .description(
      'store PostgreSQL’s write-ahead log continuously, and take and test a base backup every night; runs until stopped',
    )
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
    .description('list base backups, their state, and the end of the stored write-ahead log')
    .option('--json', 'as JSON')
    .action(async (options: Answering) => {
      const { store, keys } = backupParts(readConfig(invocation().env));
      const { reached, damage } = await findReached(store, keys);
      const found = await findBases(store, keys);
      const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
      const gaps = await gapsAfter({ store, keys }, whole);
      const gapOf = new Map(whole.map(({ id }, index) => [id, gaps[index]]));
      const rows = found.map((one) => ({
        id: one.id,
        state: one.state,
        ended: one.state === 'whole' ? one.manifest.endedAt : null,
        mib: mib(one.bytes),
        why: one.state === 'whole' ? (gapOf.get(one.id) ?? null) : one.why,
      }));
      printRows(rows, options);
      if (options.json) return;
      if (damage !== null) say(damage.message);
      if (reached !== null)
        say(`the log reaches ${reached.at}${damage === null ? '' : ' or later'}`);
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

/** Skips values that the service may have issued after the restored moment. */
const valuesAhead = 1_000_000;

/** Each request has several events, and a repeated position would hide one from a feed's reader. */
const positionsAhead = 100 * valuesAhead;

const raiseIssued = (sql: Sql) => sql`
  select setval(seqrelid::regclass, pg_sequence_last_value(seqrelid) + case
    when seqrelid = to_regclass('event_positions') then ${positionsAhead}::bigint
    else ${valuesAhead}::bigint end)
  from pg_sequence
  where seqrelid in (select to_regclass(name) from unnest(${[...issuedSequences]}::text[]) as name)
    and pg_sequence_last_value(seqrelid) is not null`;

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
  const { base, reaches, damage, embedded, looked } = await restore(
    { store, keys, to, programs, ...target },
    (sql) =>
      doing('command', async () => {
        await raiseIssued(sql);
        // The database is whole even if its audit cannot run, such as for want of a key.
        return await auditRestored(config, sql).catch((error: unknown) => ({
          accounts: 0,
          faults: [`The audit stopped: ${error instanceof Error ? error.message : error}`],
        }));
      }),
  );
  const seconds = Math.round((wall.nowMs() - beganMs) / 1000);
  const { accounts, faults } = looked;
  const serve = embedded
    ? `start the service with DATA_DIR=${to}`
    : `start your PostgreSQL on ${to}/postgres`;
  const moment = String(at ?? reaches);
  const later = damage !== null && at === null ? ' or later' : '';
  if (damage !== null && !answering.json) say(damage.message);
  const found = faults.length === 0 ? `${accounts} accounts add up` : faults;
  const text = [`restored ${base.id} up to ${moment}${later} in ${seconds} s`, found, serve].flat();
  print(text, { backup: base.id, at: moment, folder: to, accounts, faults, seconds }, answering);
  if (faults.length > 0) exitWith(exits.failed);
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description(
      'restore the database as of any second into an empty folder, and audit it; exits 1 on a mismatch',
    )
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
