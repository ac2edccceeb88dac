import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../../package-root.ts';

/** Explanation of a code in the documentation: cells by column heading. */
export type Explanation = Readonly<Record<string, string>>;

const blocks = ['error-codes', 'rejects', 'qr-codes'];

/** Returns the text of a generated block. Empty if the page has none. */
const blockOf = (page: string, name: string): string =>
  page.split(`<!-- generated ${name} -->`)[1]?.split('<!-- end -->')[0] ?? '';

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

function readTables(block: string, into: Map<string, Explanation>): void {
  let head: string[] = [];
  for (const line of block.split('\n')) {
    if (!line.startsWith('|')) head = [];
    else if (head.length === 0) head = cellsOf(line);
    else if (!line.startsWith('| ---')) {
      const [code = '', ...cells] = cellsOf(line);
      const named = cells.map((cell, index) => [head[index + 1] ?? '', cell] as const);
      into.set(code.replaceAll('`', ''), Object.fromEntries(named.filter(([, cell]) => cell)));
    }
  }
}

/** Reads the documentation's tables of codes: errors, banks and the QR service. */
export async function readCodes(): Promise<ReadonlyMap<string, Explanation>> {
  const codes = new Map<string, Explanation>();
  for await (const file of glob('docs/**/*.md', { cwd: packageRoot() })) {
    const text = await readFile(path.join(packageRoot(), file), 'utf8');
    for (const name of blocks) readTables(blockOf(text, name), codes);
  }
  return codes;
}
