import type { Command } from 'commander';
import { type Column, type Listing, plainCell } from '../platform/listings.ts';
import { type PageOptions, paged } from './arguments.ts';
import { withBase } from './command.ts';
import { printRows } from './print.ts';

/** The command of a listing. `all`: what its flag adds. */
export function listCommand<Row extends { id: number }>(
  parent: Command,
  { name, read, columns }: Listing<Row>,
  { does, all: adds }: { does: string; all: string },
): void {
  const word = name.slice(name.lastIndexOf('.') + 1);
  const shown = (row: Row) =>
    Object.fromEntries(
      Object.entries<Column<Row>>(columns).map(([title, column]) => [
        title,
        plainCell(column, row),
      ]),
    );
  paged(parent.command(word))
    .description(does)
    .option('--all', adds)
    .action((options: PageOptions & { all?: boolean }) =>
      withBase(`${parent.name()} ${word}`, async ({ sql }) => {
        const { all = false, after, limit } = options;
        printRows((await read(sql, { all, after, limit })).map(shown), options);
      }),
    );
}
