import type { Command } from 'commander';
import { mustExist } from '../../accounts/operations.ts';
import { loadCalendar } from '../../calendar/index.ts';
import { createMoveIn } from '../../composition/imports.ts';
import { offerFor } from '../../composition/offer.ts';
import type { Judged, Move } from '../../imports/index.ts';
import type { Ctx } from '../../platform/base.ts';
import { type BaseContext, withBase } from '../command.ts';
import { exits } from '../failure.ts';
import { exitWith } from '../invocation.ts';
import { linksOf } from '../links.ts';
import { type Answering, print } from '../print.ts';
import { withProgress } from '../progress.ts';
import {
  differenceRow,
  faultsOf,
  kindRow,
  movedText,
  type Report,
  tallyRow,
} from './migrate-in-text.ts';
import { createTable, type TableFile } from './table-file.ts';

interface MigrateOptions extends Answering {
  account: string;
  confirm?: boolean;
  repeats?: boolean;
  city?: string;
  map?: string;
  faults?: string;
}

/**
 * Maximum number of faults, and of differences, in the output. The file of `--faults` contains all
 * faults.
 */
const mostListed = 1_000;

const faultColumns = ['file', 'row', 'kind', 'id', 'field', 'error_code', 'message'];
const mapColumns = ['kind', 'old_id', 'new_id', 'state'];

interface Desk {
  move: Move;
  input: { ctx: Ctx; files: readonly string[]; options: { repeats: boolean; city: string | null } };
}

/** Collects faults for the output and for the file of `--faults`. */
function collectFaults(file: TableFile | null) {
  const listed: Report['faults'] = [];
  let rows = 0;
  return {
    listed,
    rows: () => rows,
    async add(row: Extract<Judged, { outcome: 'faulty' }>): Promise<void> {
      rows += 1;
      for (const one of faultsOf(row)) {
        if (listed.length < mostListed) listed.push(one);
        const { error_code: code, ...rest } = one;
        await file?.row({ ...rest, error_code: code ?? '' });
      }
    },
  };
}

/** Compares the files with the books, and writes the map. */
async function reconcile({ move, input }: Desk, map: TableFile | null) {
  const differences: ReturnType<typeof differenceRow>[] = [];
  let count = 0;
  const kinds = await move.reconcile(input, async ({ row, booked }, difference) => {
    if (booked !== null) {
      const { newId, state } = booked;
      await map?.row({ kind: row.kind, old_id: row.oldId, new_id: newId, state });
    }
    if (difference === null) return;
    count += 1;
    if (differences.length < mostListed) differences.push(differenceRow(difference));
  });
  return { kinds: kinds.map(kindRow), differences, difference_count: count };
}

async function run(desk: Desk, options: MigrateOptions): Promise<Report> {
  const { move, input } = desk;
  const faultFile = options.faults ? await createTable(options.faults, faultColumns) : null;
  const mapFile = options.map ? await createTable(options.map, mapColumns) : null;
  try {
    const faults = collectFaults(faultFile);
    const kinds = await move.preview(input, faults.add);
    const confirmed = options.confirm ?? false;
    if (confirmed) await move.apply(input, faults.add);
    const reconciliation = confirmed ? await reconcile(desk, mapFile) : null;
    return {
      account: input.ctx.accountId,
      confirmed,
      kinds: kinds.map(tallyRow),
      faulty_rows: faults.rows(),
      faults: faults.listed,
      reconciliation,
      map_file: mapFile && options.map ? options.map : null,
    };
  } finally {
    await faultFile?.close();
    await mapFile?.close();
  }
}

async function deskOf(
  context: BaseContext,
  files: readonly string[],
  { account, repeats = false, city }: MigrateOptions,
): Promise<Desk> {
  const { base, config, sql, actor } = context;
  await mustExist(sql, account);
  const terms = {
    links: await linksOf(context),
    offer: offerFor(config),
    calendar: () => loadCalendar(sql),
  };
  const ctx = { accountId: account, actor, requestId: 'migrate-in' };
  const move = createMoveIn(base, config, terms);
  return { move, input: { ctx, files, options: { repeats, city: city ?? null } } };
}

export function migrateInCommand(program: Command): void {
  program
    .command('migrate-in')
    .description(
      'import open requests and mandates from another provider; exits 1 on errors or differences; docs/how-to/move-in.md',
    )
    .argument('<files...>', 'pages of the lists of the API (JSON), or mandates (CSV)')
    .requiredOption('--account <id>', 'the account')
    .option('--confirm', 'write the data; without it, only check the files')
    .option('--repeats', 'also create rows whose reference already exists')
    .option('--city <name>', 'the city of QRs without one')
    .option('--faults <file>', 'output file for all errors (CSV)')
    .option('--map <file>', 'output file for old and new ids (CSV), with --confirm')
    .option('--json', 'as JSON')
    .action((files: string[], options: MigrateOptions) =>
      withBase('migrate-in', async (context) => {
        const desk = await deskOf(context, files, options);
        const report = await withProgress(options, () => run(desk, options));
        print(movedText(report), { ...report }, options);
        const differs = (report.reconciliation?.difference_count ?? 0) > 0;
        if (report.faulty_rows > 0 || differs) exitWith(exits.failed);
      }),
    );
}
