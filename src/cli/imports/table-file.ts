import { type FileHandle, open } from 'node:fs/promises';
import { csvLine } from '../../kernel/csv.ts';

const bufferedLines = 500;

/** A CSV file written row by row. */
export interface TableFile {
  row(cells: Readonly<Record<string, string | number>>): Promise<void>;
  close(): Promise<void>;
}

/** Creates or replaces a CSV file with these columns. */
export async function createTable(path: string, columns: readonly string[]): Promise<TableFile> {
  const file: FileHandle = await open(path, 'w');
  let lines = [csvLine([...columns])];
  const flush = async (): Promise<void> => {
    await file.appendFile(lines.join(''));
    lines = [];
  };
  return {
    async row(cells) {
      lines.push(csvLine(columns.map((name) => cells[name] ?? '')));
      if (lines.length >= bufferedLines) await flush();
    },
    async close() {
      await flush();
      await file.close();
    },
  };
}
