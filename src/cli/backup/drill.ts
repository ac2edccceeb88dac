import type { Config } from '../../config/index.ts';
import { makeTemporary, removeLeftovers } from '../../platform/backup/leftovers.ts';
import { restore } from '../../platform/backup/restore.ts';
import type { BackupParts } from '../../platform/backup/take.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { backupRuns, noteRun } from '../../platform/sweep-runs.ts';
import { auditRestored } from './parts.ts';

export interface Drill {
  backup: string;
  reaches: string;
  accounts: number;
  faults: string[];
  seconds: number;
}

/** Restores the newest backup into a temporary folder, audits it, and removes it. */
async function restoreAndAudit(config: Config, parts: BackupParts): Promise<Drill> {
  const beganMs = parts.wall.nowMs();
  await removeLeftovers();
  const { folder, remove } = await makeTemporary('drill');
  try {
    const { store, keys } = parts;
    const programs = config.BACKUP_POSTGRES_BIN;
    const terms = { store, keys, to: folder, at: null, id: null, programs };
    const { base, reaches, looked } = await restore(terms, (sql) =>
      doing('command', () => auditRestored(config, sql)),
    );
    const seconds = Math.round((parts.wall.nowMs() - beganMs) / 1000);
    return { backup: base.id, reaches: String(reaches), ...looked, seconds };
  } finally {
    await remove();
  }
}

/**
 * Drills the newest backup, and records the result in the live database for `doctor` and metrics.
 */
export async function drill(config: Config, parts: BackupParts, live: Sql): Promise<Drill> {
  const beganMs = parts.wall.nowMs();
  const note = (ended: Parameters<typeof noteRun>[3]) =>
    noteRun(live, parts.wall, backupRuns.drill, ended);
  try {
    const result = await restoreAndAudit(config, parts);
    const [fault] = result.faults;
    await note(
      fault === undefined
        ? { beganMs, moved: result.accounts }
        : { fault: new Error(`${result.faults.length} faults: ${fault}`) },
    );
    return result;
  } catch (error) {
    await note({ fault: error });
    throw error;
  }
}
