import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { CalendarChange } from '../calendar/index.ts';
import { calendarList } from '../calendar/operations.ts';
import { seenWithinMs } from '../composition/base.ts';
import type { RescheduledRuns } from '../debit-requests/index.ts';
import { compareDays, formatDay } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import type { MovedPromises } from '../money/collections/index.ts';
import { dayIn } from './arguments.ts';
import { refusal } from './codes.ts';
import { type BaseContext, withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { type Answering, print, printRows, say } from './print.ts';

/** Governments do not decree holidays further ahead. */
const mostYearsAhead = 10;
/** Nothing scheduled depends on older days. */
const mostYearsBack = 1;

const kinds = ['holiday', 'bridge', 'no-laborable', 'bank', 'open'];

const kindIn = (text: string): string => {
  if (kinds.includes(text)) return text;
  throw new InvalidArgumentError(`This value must be one of: ${kinds.join(', ')}.`);
};

interface ChangeOptions extends Answering {
  move?: boolean;
  dryRun?: boolean;
}

/** Scheduled work that depends on the calendar. */
interface Touched {
  runs: RescheduledRuns[];
  releases: MovedPromises[];
}

async function look(
  { base, config, actor }: BaseContext,
  change: CalendarChange,
  apply: { runs: boolean; releases: boolean },
): Promise<Touched> {
  const [{ debitTermsOf }, { rescheduleRuns, termsOfAccounts }, { movePromises }] =
    await Promise.all([
      import('../composition/debits.ts'),
      import('../debit-requests/index.ts'),
      import('../money/collections/index.ts'),
    ]);
  const terms = termsOfAccounts(base.sql, debitTermsOf(config));
  return {
    runs: await rescheduleRuns(base, terms)(change, { apply: apply.runs, actor }),
    releases: await movePromises(base)(change, { apply: apply.releases, actor }),
  };
}

const runRows = (runs: RescheduledRuns[]) =>
  runs.map(({ kind, from, to, count, amount }) => ({
    kind,
    run_on: formatDay(from.run_on),
    new_run_on: formatDay(to.run_on),
    submit_on: formatDay(from.submit_on),
    new_submit_on: formatDay(to.submit_on),
    count,
    amount: decimalText(amount),
  }));

const releaseRows = (releases: MovedPromises[]) =>
  releases.map(({ from, to, count, amount }) => ({
    available_on: formatDay(from),
    new_available_on: formatDay(to),
    count,
    amount: decimalText(amount),
  }));

function show({ runs, releases }: Touched): void {
  say('debits not submitted yet:');
  printRows(runRows(runs), {});
  say('future releases:');
  printRows(releaseRows(releases), {});
}

/**
 * Shows the effects of a change. Unless it is a dry run, applies it and reschedules the affected
 * debits, and with `move` the affected releases.
 */
async function changeCalendar(
  context: BaseContext,
  { day, kind }: { day: Temporal.PlainDate; kind: string | null },
  { move = false, dryRun = false, json = false }: ChangeOptions,
): Promise<void> {
  const { calendarWith, changeDay, listCalendarDays } = await import('../calendar/index.ts');
  const { sql, base, actor } = context;
  const today = base.clocks.business.today();
  if (compareDays(day, today.add({ years: mostYearsAhead })) > 0) {
    throw refusal('calendar.day_too_far', { years: mostYearsAhead });
  }
  // Removing an old day stays possible.
  if (kind !== null && compareDays(day, today.subtract({ years: mostYearsBack })) < 0) {
    throw refusal('calendar.day_long_past', { years: mostYearsBack });
  }
  const change: CalendarChange = { day, calendar: await calendarWith(sql, day, kind), today };
  const before = await look(context, change, { runs: false, releases: false });
  const added = (await listCalendarDays(sql)).some((one) => one.day.equals(day));
  // Repeating an interrupted removal is no fault while it has work left to reschedule.
  if (kind === null && !added && before.runs.length + before.releases.length === 0) {
    throw new Error(`${formatDay(day)} was not added`);
  }
  if (!json) show(before);
  let done: Touched = { runs: [], releases: [] };
  if (!dryRun) {
    await changeDay({ ...base, actor }, { day, kind });
    if (!json) say('waiting until every running process knows the day …');
    // Other processes may schedule by the old calendar until they see the new one.
    await sleep(seenWithinMs + 1_000);
    done = await look(context, change, { runs: true, releases: move });
    if (!move) done.releases = [];
  }
  if (json) {
    const touched = dryRun ? before : { ...before, runs: done.runs };
    const releases = move && !dryRun ? done.releases : before.releases;
    print(
      [],
      {
        day: formatDay(day),
        kind,
        dry_run: dryRun,
        runs: runRows(touched.runs),
        releases: releaseRows(releases),
        releases_moved: move && !dryRun,
      },
      { json },
    );
    return;
  }
  if (dryRun) return say('nothing changed');
  const count = (groups: readonly { count: number }[]): number =>
    groups.reduce((sum, group) => sum + group.count, 0);
  say(`${formatDay(day)} is ${kind ?? 'a day of the standard calendar again'}`);
  say(`${count(done.runs)} debits moved, ${count(done.releases)} releases moved`);
  if (!move && before.releases.length > 0) say('to move the releases too, add --move');
}

const changing = (command: Command): Command =>
  command
    .argument('<day>', 'dd-mm-yyyy or yyyy-mm-dd', dayIn)
    .option('--move', 'also move future releases, not only unsubmitted debits')
    .option('--dry-run', 'only show the affected items')
    .option('--json', 'as JSON');

export function calendarCommands(calendar: Command): void {
  listCommand(calendar, calendarList);

  changing(calendar.command('add'))
    .description(
      'mark a day as a bank holiday, or as open despite the calendar, and move unsubmitted debits',
    )
    .option(
      '--kind <kind>',
      'why banks close: holiday, bridge (for tourism), no-laborable (optional day off) or bank (only banks); or open',
      kindIn,
      'holiday',
    )
    .action((day: Temporal.PlainDate, options: ChangeOptions & { kind: string }) =>
      withBase('calendar add', (context) =>
        changeCalendar(context, { day, kind: options.kind }, options),
      ),
    );

  changing(calendar.command('remove'))
    .description('remove a day that you added, and move unsubmitted debits')
    .action((day: Temporal.PlainDate, options: ChangeOptions) =>
      withBase('calendar remove', (context) =>
        changeCalendar(context, { day, kind: null }, options),
      ),
    );
}
