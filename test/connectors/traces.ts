import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import type { Serving } from '../cli/run.ts';

/** Places where a secret could be stored. */
export interface Places {
  sql: Sql;
  /** A process that writes its heap to `folder` on SIGUSR2. */
  serving: Serving;
  folder: string;
}

/** Returns all rows of all tables, including mails and events. */
export async function storedIn(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I', relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  const texts = await Promise.all(
    tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} t`)),
  );
  return JSON.stringify(texts);
}

/** Returns a snapshot of the process's heap after a garbage collection. */
export async function heapSnapshot(serving: Serving, folder: string): Promise<string> {
  void serving.end('SIGUSR2');
  for (;;) {
    const name = (await readdir(folder)).find((one) => one.endsWith('.heapsnapshot'));
    const text = name ? await readFile(path.join(folder, name), 'utf8') : '';
    // The file is written in one go; its last brace marks the end.
    if (text.trimEnd().endsWith('}')) return text;
    await pause(200);
  }
}

/** Returns the files of a folder that contain a text. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = path.join(file.parentPath, file.name);
    if (file.isFile() && (await readFile(name, 'latin1')).includes(text)) found.push(name);
  }
  return found;
}

/** Finds a text in the database, the log and files. */
export async function tracesOf(text: string, { sql, serving, folder }: Places): Promise<string[]> {
  return [
    ...((await storedIn(sql)).includes(text) ? ['the database'] : []),
    ...(serving.output().includes(text) ? ['the log'] : []),
    ...(await filesWith(folder, text)),
  ];
}
