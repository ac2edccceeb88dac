import { type FileHandle, open } from 'node:fs/promises';
import { csvLine } from '../../kernel/csv.ts';

const bufferedLines = 500;

/** A CSV file written row by row. */
export interface TableFile {
  row(cells: Readonly<Record<string, string | number>>): Promise<void>;
  /** Writes the rows so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a CSV file with these columns. With the flag `wx`, throws EEXIST if it exists. */
export async function createTable(
  path: string,
  columns: readonly string[],
  flag: 'w' | 'wx' = 'w',
): Promise<TableFile> {
  const file: FileHandle = await open(path, flag);
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
    flush,
    async close() {
      await flush();
      await file.close();
    },
  };
}
