import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { watchedBy, workDone, workExpected } from '../../platform/progress.ts';
import { exits, failureOf } from '../failure.ts';
import { exitWith } from '../invocation.ts';
import { type Answering, printRows } from '../print.ts';
import { withProgress } from '../progress.ts';

export interface Imported {
  outcome: string;
  file: number;
  lines: number;
}

interface EntryReport extends Record<string, string | number | null> {
  file: string;
  outcome: string;
  id: number | null;
  lines: number | null;
  fault: string | null;
}

/**
 * Imports a folder's files in name order. A faulty file does not stop the others, and a file
 * imported before changes nothing. Also reports entries that are not files, which may be there by
 * mistake.
 */
export async function importFolder(
  folder: string,
  importOne: (file: string) => Promise<Imported>,
  options: Answering,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
  const rows = await withProgress(options, () => importAll(folder, names, importOne));
  printRows(rows, options);
  if (rows.some(({ outcome }) => outcome === 'failed')) exitWith(exits.failed);
}

async function importAll(
  folder: string,
  names: readonly string[],
  importOne: (file: string) => Promise<Imported>,
): Promise<EntryReport[]> {
  const rows: EntryReport[] = [];
  workExpected(names.length);
  for (const name of names) {
    rows.push(await reportOf(name, path.join(folder, name), importOne));
    workDone(1);
  }
  return rows;
}

async function reportOf(
  name: string,
  file: string,
  importOne: (file: string) => Promise<Imported>,
): Promise<EntryReport> {
  const row = { file: name, outcome: 'failed', id: null, lines: null, fault: null };
  try {
    if ((await stat(file)).isDirectory()) {
      return { ...row, outcome: 'skipped', fault: 'This is a folder. Import it separately.' };
    }
    // Progress counts files, not the lines of each.
    const imported = await watchedBy(null, () => importOne(file));
    return { ...row, outcome: imported.outcome, id: imported.file, lines: imported.lines };
  } catch (error) {
    return { ...row, fault: failureOf(error).message };
  }
}
