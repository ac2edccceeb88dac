import { invocation } from './invocation.ts';

/** Options of every command except `serve`. */
export interface Answering {
  json?: boolean;
}

/**
 * Ignores readers that close the pipe early (`| head`, a pager that quits), and lets the command
 * finish its work. Calls `onLost` if the output cannot be written for another reason, such as a
 * full disk.
 */
export function readersMayLeave(onLost: (error: Error) => void): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    onLost(new Error(`Writing the output failed: ${error.message}`));
  });
  // Ignores later errors, and those of stderr, which cannot be reported anywhere.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

type Cell = string | number | null;

/** Prints a listing: a table for people, JSON for scripts. */
export function printRows(rows: Record<string, Cell>[], { json }: Answering): void {
  if (json) {
    invocation().stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) {
    invocation().stdout.write('none\n');
    return;
  }
  const text = (cell: Cell | undefined): string => (cell === null ? '-' : String(cell ?? '-'));
  const widths = columns.map((column) =>
    rows.reduce((width, row) => Math.max(width, text(row[column]).length), column.length),
  );
  const line = (cells: string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = [line(columns), ...rows.map((row) => line(columns.map((name) => text(row[name]))))];
  invocation().stdout.write(`${lines.join('\n')}\n`);
}

export function say(text: string | readonly string[]): void {
  invocation().stdout.write(`${typeof text === 'string' ? text : text.join('\n')}\n`);
}

/** Prints the result: text for people, one JSON object for scripts. */
export function print(
  text: string | readonly string[],
  data: Readonly<Record<string, unknown>>,
  { json }: Answering,
): void {
  say(json ? JSON.stringify(data) : text);
}
