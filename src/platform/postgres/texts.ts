import type { Statement } from './statement.ts';

const rowsAtOnce = 500;

/** Yields the column `text` of a query that returns many rows, without holding them all. */
export async function* textsOf(query: Statement<{ text: string }[]>): AsyncGenerator<string> {
  for await (const rows of query.cursor(rowsAtOnce)) yield* rows.map(({ text }) => text);
}
