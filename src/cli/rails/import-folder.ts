import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { printRows } from '../print.ts';
import { progressBar } from '../progress.ts';

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
  { json = false }: { json?: boolean },
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  const bar = progressBar(names.length);
  const rows = [];
  for (const [index, name] of names.entries()) {
    const row = { file: name, outcome: 'failed', id: null, lines: null, fault: null };
    try {
      const { outcome, file, lines } = await importOne(path.join(folder, name));
      rows.push({ ...row, outcome, id: file, lines });
    } catch (error) {
      rows.push({ ...row, fault: error instanceof Error ? error.message : String(error) });
    }
    bar.show(index + 1);
  }
  bar.end();
  printRows(rows, { json });
  if (rows.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}
