import type { Command } from 'commander';
import { listOperatorEvents } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { type PageOptions, paged } from './arguments.ts';
import { withBase } from './command.ts';
import { printRows } from './print.ts';

/** What was done that belongs to no account; that of accounts is in their feed of events. */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('who did what that belongs to no account');

  paged(events.command('list'))
    .description('list changes of the calendar, tax registers, files, keys and their like')
    .action((options: PageOptions) =>
      withBase('events list', async ({ sql }) => {
        const rows = await listOperatorEvents(sql, options);
        printRows(
          rows.map(({ id, at, type, entity_id, actor, data }) => ({
            id,
            at: isoDateTime(at),
            type,
            subject: entity_id,
            actor,
            data: JSON.stringify(data),
          })),
          options,
        );
      }),
    );
}
