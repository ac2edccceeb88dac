import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { watchedBy, workDone, workExpected } from '../../platform/progress.ts';
import { type Answering, printRows } from '../print.ts';
import { withProgress } from '../progress.ts';

export interface Imported {
  outcome: string;
  file: number;
  lines: number;
}

/**
 * Imports every file of a folder, in the order of their names. A fault of one does not stop the
 * others; what was imported before is told so and changes nothing.
 */
export async function importFolder(
  folder: string,
  importOne: (file: string) => Promise<Imported>,
  options: Answering,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  const rows = await withProgress(options, () => importAll(folder, names, importOne));
  printRows(rows, options);
  if (rows.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}

async function importAll(
  folder: string,
  names: readonly string[],
  importOne: (file: string) => Promise<Imported>,
) {
  const rows = [];
  workExpected(names.length);
  for (const name of names) {
    const row = { file: name, outcome: 'failed', id: null, lines: null, fault: null };
    try {
      // What is counted are files: the lines of each have nobody who watches.
      const imported = watchedBy(null, () => importOne(path.join(folder, name)));
      const { outcome, file, lines } = await imported;
      rows.push({ ...row, outcome, id: file, lines });
    } catch (error) {
      rows.push({ ...row, fault: error instanceof Error ? error.message : String(error) });
    }
    workDone(1);
  }
  return rows;
}
