import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/index.ts';
import { findBases } from '../../platform/backup/manifest.ts';
import { gapsAfter } from '../../platform/backup/plan.ts';
import { findReached } from '../../platform/backup/reached.ts';
import { wallClock } from '../../platform/clocks.ts';
import { databaseAddress } from '../../platform/postgres/address.ts';
import { connect } from '../../platform/postgres/connect.ts';
import { backupRuns, failedLast, readSweepRuns } from '../../platform/sweep-runs.ts';
import { backupParts, sourceOf } from '../backup/parts.ts';
import { broken, type Check, type Checked, type Finding, look, ok } from './finding.ts';

const staleHours = 36;
const lateMinutes = 5;

const minutesSince = (at: Temporal.Instant): number => at.until(wallClock.now()).total('minutes');

/** Checks that backups are taken, that the log is stored, and that a restore was tried lately. */
async function lookAtRuns({ config, database: { sql } }: Checked): Promise<Finding> {
  const none = 'no backups configured';
  if (config.BACKUP_TO === null) {
    return config.ENVIRONMENT === 'sandbox'
      ? ok(none)
      : look(none, 'Set BACKUP_TO and BACKUP_KEYS (docs/how-to/restore.md).');
  }
  const runs = new Map((await readSweepRuns(sql)).map((run) => [run.name, run]));
  const todo = 'Check the log of `recaudo backup run`, and `recaudo backup list`.';
  for (const name of Object.values(backupRuns)) {
    const run = runs.get(name);
    if (run !== undefined && failedLast(run)) return broken(`${name} failed: ${run.error}`, todo);
  }
  const last = (name: string): Temporal.Instant | null => runs.get(name)?.ran_at ?? null;
  const [base, log, drill] = [backupRuns.base, backupRuns.log, backupRuns.drill].map(last);
  if (!base) return broken('no base backup yet', 'Start `recaudo backup run`.');
  if (minutesSince(base) > staleHours * 60) return broken(`no base backup since ${base}`, todo);
  if (!log || minutesSince(log) > lateMinutes) {
    const since = log ? `since ${log}` : 'at all';
    return broken(`no log stored ${since}`, 'Start `recaudo backup run`.');
  }
  if (!drill || minutesSince(drill) > staleHours * 60) {
    const since = drill ? `since ${drill}` : 'yet';
    return look(`no restore drill ${since}`, 'Run `recaudo backup drill`.');
  }
  return ok(`base backup ${base}, log ${log}, restored and audited ${drill}`);
}

const isWithin = (folder: string, other: string): boolean =>
  !path.relative(folder, other).startsWith('..') && !path.isAbsolute(path.relative(folder, other));

/** Returns the weakness of a working store, or null. */
function weaknessOf({ BACKUP_TO, BACKUP_KEYS, VAULT_KEYS, DATA_DIR }: Config): Finding | null {
  const url = new URL(BACKUP_TO ?? 'file:///');
  if (url.protocol === 'file:' && isWithin(path.resolve(DATA_DIR), fileURLToPath(url))) {
    return look(
      'backups are in DATA_DIR, so both could be lost together',
      'Set BACKUP_TO to a folder of another machine or disk, or to a bucket.',
    );
  }
  const shared = (BACKUP_KEYS ?? []).find(({ key }) =>
    VAULT_KEYS?.some((own) => own.key.equals(key)),
  );
  return shared === undefined
    ? null
    : look(
        `the key "${shared.id}" of BACKUP_KEYS is also one of VAULT_KEYS: one theft opens both`,
        'Generate another key and put it first in BACKUP_KEYS. Remove the old one after BACKUP_KEEP_DAYS.',
      );
}

/**
 * Checks the store: writes and removes an object, and looks for damaged backups and gaps in the
 * log.
 */
async function lookAtStore({ config }: Checked): Promise<Finding | null> {
  if (config.BACKUP_TO === null) return null;
  const { store, keys } = backupParts(config);
  await store.put('probe/doctor', Buffer.from('probe'));
  await store.remove('probe/doctor');
  const found = await findBases(store, keys);
  const locked = found.find((one) => one.state === 'locked');
  if (locked !== undefined) throw locked.fault;
  const damaged = found.find((one) => one.state === 'damaged');
  if (damaged !== undefined) {
    return look(
      `the backup ${damaged.id} is damaged: ${damaged.why}`,
      'Check the disk of the store. Copy the backup back from elsewhere, or run `recaudo backup create`.',
    );
  }
  const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
  const { reached, damage } = await findReached(store, keys);
  if (damage !== null) {
    const mend =
      reached === null
        ? 'No base backup shows whose log it is, so no log is stored. Copy the object back from elsewhere, or set BACKUP_TO to an empty place.'
        : '`recaudo backup run` rewrites it.';
    return look(damage.message, `Check the disk of the store. ${mend}`);
  }
  const newest = whole.slice(-1);
  const [gap = null] = await gapsAfter({ store, keys }, newest);
  if (gap !== null) {
    const todo = 'Start `recaudo backup run`, then run `recaudo backup create`.';
    return look(`the newest backup ${newest[0]?.id}: ${gap}`, todo);
  }
  return (
    weaknessOf(config) ?? ok(`${store.place} accepts objects; ${whole.length} complete backups`)
  );
}

interface Replicating {
  role: string;
  may: boolean;
  level: string;
  senders: number;
  major: number;
}

/** Checks that a base backup and the log can be taken from the server, and restored here. */
async function lookAtSource({ config, database: { embedded } }: Checked): Promise<Finding | null> {
  if (config.BACKUP_TO === null) return null;
  const source = sourceOf({ config, embedded });
  const { address, tls } = databaseAddress(source.url, source);
  const sql = connect(address, { max: 1, applicationName: 'recaudo doctor', tls });
  try {
    const [row] = await sql<Replicating[]>`
      select current_user as role, rolreplication or rolsuper as may,
        current_setting('wal_level') as level, current_setting('max_wal_senders')::int as senders,
        current_setting('server_version_num')::int / 10000 as major
      from pg_roles where rolname = current_user`;
    if (row === undefined) throw new Error('The server returned no settings.');
    return faultOf(row) ?? (await programsFor(config, row.major));
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function faultOf({ role, may, level, senders }: Replicating): Finding | null {
  if (level === 'minimal' || senders < 2) {
    return broken(
      `the server has wal_level = ${level} and max_wal_senders = ${senders}: no backup is possible`,
      'Set wal_level = replica and max_wal_senders to 2 or more, and restart the server.',
    );
  }
  return may
    ? null
    : broken(
        `${role} lacks the right to replicate, so it cannot take backups`,
        'Set BACKUP_DATABASE_URL to a role with `replication` (docs/how-to/restore.md).',
      );
}

async function programsFor(config: Config, major: number): Promise<Finding> {
  const fault = await programsFault(config.BACKUP_POSTGRES_BIN, major);
  return fault === null
    ? ok(`the role can replicate; PostgreSQL ${major} restores here`)
    : look(
        fault,
        `Set BACKUP_POSTGRES_BIN to the folder with the programs of PostgreSQL ${major}.`,
      );
}

async function programsFault(folder: string | null, major: number): Promise<string | null> {
  if (folder === null) {
    const { embeddedMajor } = await import('../../platform/backup/restore.ts');
    const brought = await embeddedMajor();
    return brought === major
      ? null
      : `no drill can run: the server is PostgreSQL ${major}, and this release includes ${brought ?? 'none'}`;
  }
  const isThere = await stat(path.join(folder, 'postgres')).then(
    () => true,
    () => false,
  );
  return isThere ? null : `no drill can run: ${folder} has no program postgres`;
}

export const backupChecks: readonly Check<Checked>[] = [
  { what: 'backups', todo: 'Read docs/how-to/restore.md.', look: lookAtRuns },
  {
    what: 'backup store',
    todo: 'Check BACKUP_TO, BACKUP_KEYS and the rights on the store.',
    look: lookAtStore,
  },
  {
    what: 'backup source',
    todo: 'Check BACKUP_DATABASE_URL (docs/how-to/restore.md).',
    look: lookAtSource,
  },
];
