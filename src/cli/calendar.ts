import { type Command, InvalidArgumentError } from 'commander';
import { addCalendarDay, listCalendarDays, removeCalendarDay } from '../calendar/index.ts';
import { formatDay } from '../kernel/dates.ts';
import { dayIn } from './arguments.ts';
import { withBase } from './command.ts';
import { print, printRows } from './print.ts';

const kinds = ['holiday', 'bridge', 'no-laborable', 'bank', 'open'];

const kindIn = (text: string): string => {
  if (kinds.includes(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${kinds.join(', ')}.`);
};

export function calendarCommands(program: Command): void {
  const calendar = program
    .command('calendar')
    .description('bank days that differ from the calendar that this release knows');

  calendar
    .command('list')
    .description('list the days that were added')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('calendar list', async ({ sql }) => {
        const days = await listCalendarDays(sql);
        printRows(
          days.map(({ day, kind }) => ({ day: formatDay(day), kind })),
          options,
        );
      }),
    );

  calendar
    .command('add')
    .description('declare a day closed for banks, or open in spite of the calendar')
    .argument('<day>', 'dd-mm-yyyy', dayIn)
    .option('--kind <kind>', kinds.join(', '), kindIn, 'holiday')
    .action((day: Temporal.PlainDate, options: { kind: string }) =>
      withBase('calendar add', async ({ sql }) => {
        await addCalendarDay(sql, day, options.kind);
        print(`${formatDay(day)} is ${options.kind}; running processes see it within 5 seconds`);
      }),
    );

  calendar
    .command('remove')
    .description('forget a day that was added')
    .argument('<day>', 'dd-mm-yyyy', dayIn)
    .action((day: Temporal.PlainDate) =>
      withBase('calendar remove', async ({ sql }) => {
        if (!(await removeCalendarDay(sql, day))) {
          throw new Error(`${formatDay(day)} was not added`);
        }
        print(`${formatDay(day)} is as the calendar says`);
      }),
    );
}
