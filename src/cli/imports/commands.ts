import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { mustExist } from '../../accounts/operations.ts';
import { loadCalendar } from '../../calendar/index.ts';
import { createImports } from '../../composition/imports.ts';
import { offerFor } from '../../composition/offer.ts';
import {
  type Imports,
  type KindName,
  kindNames,
  largestFile,
  type Matched,
  resultFile,
} from '../../imports/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import type { Ctx } from '../../platform/base.ts';
import { idIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { linksOf } from '../links.ts';
import { type Answering, print, printRows } from '../print.ts';
import { factsOf, importText } from './print.ts';

interface InAccount extends Answering {
  account: string;
}

interface ReadOptions {
  sheet?: number;
  headings?: number;
  hidden?: boolean;
}

interface Desk {
  imports: Imports;
  ctx: Ctx;
  /** The user who withdraws the rows, recorded with the requests. */
  by: string;
}

const withImports = <T>(
  name: string,
  { account }: InAccount,
  command: (desk: Desk) => Promise<T>,
): Promise<T> =>
  withBase(`imports ${name}`, async (context) => {
    const { base, config, sql, actor } = context;
    await mustExist(sql, account);
    const calendar = () => loadCalendar(sql);
    const terms = { links: await linksOf(context), offer: offerFor(config), calendar };
    const ctx = { accountId: account, actor, requestId: `imports ${name}` };
    const by = actor.kind === 'operator' ? `${actor.user}@${actor.host}` : actor.kind;
    return await command({ imports: createImports(base, config, terms), ctx, by });
  });

async function bytesOf(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > largestFile) {
    throw new Error(`The file is ${size} bytes long. The maximum is ${largestFile}.`);
  }
  return await readFile(file);
}

/**
 * Parses `payer_name=Socio` (repeatable): a field and a column's heading, or its position as `#3`.
 */
const columnIn = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, field, heading] = /^([a-z_0-9]+)=(.*)$/s.exec(text) ?? [];
  if (field === undefined || heading === undefined) {
    throw new InvalidArgumentError(
      'This value must be a field and a heading, such as payer_name=Socio.',
    );
  }
  return { ...before, [field]: heading };
};

/**
 * Returns the position of a heading or of `#3`, counted from 0. Null for an empty one, which leaves
 * the field without a column. Throws if no column or several have the heading.
 */
function placeOf(heading: string, columns: readonly string[]): number | null {
  if (heading === '') return null;
  const [, place] = /^#(\d{1,3})$/.exec(heading) ?? [];
  if (place !== undefined) return Number(place) - 1;
  const places = [...columns.keys()].filter((index) => columns[index] === heading);
  if (places.length > 1)
    throw new Error(`Several columns are named ${heading}: give the number of one, such as #1.`);
  if (places[0] === undefined) {
    throw new Error(`No column is named ${heading}. The columns are ${columns.join(', ')}.`);
  }
  return places[0];
}

const matchedBy = (
  match: Record<string, string>,
  columns: readonly string[],
  before: Matched,
): Matched => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(match).map(([field, heading]) => [field, placeOf(heading, columns)]),
  ),
});

const formatOf = (file: string): 'csv' | 'xlsx' =>
  file.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';

type Add = (name: string, does: string) => Command;

/** Adds the commands that turn a file into rows to confirm. */
function draftCommands(command: Add, ofOne: Add): void {
  command('upload', 'read a spreadsheet (CSV, XLSX) and check its rows; nothing is created yet')
    .argument('<file>', 'the spreadsheet')
    .addOption(
      new Option('--kind <kind>', 'what each row creates')
        .choices([...kindNames])
        .default('payment_request'),
    )
    .action((file: string, options: InAccount & { kind: KindName }) =>
      withImports('upload', options, async ({ imports: verbs, ctx }) => {
        const upload = {
          kind: options.kind,
          fileName: path.basename(file),
          bytes: await bytesOf(file),
        };
        const { import: one, sameFile } = await verbs.upload(ctx, upload);
        const facts = { ...factsOf(verbs, one), same_file: sameFile?.id ?? null };
        print(await importText(verbs, ctx, one, sameFile), facts, options);
      }),
    );

  ofOne('match', 'map columns to fields and check all rows again')
    .requiredOption(
      '--column <field=heading>',
      'the column of a field, by heading or number (#3), or empty for none; can be repeated',
      columnIn,
    )
    .action((id: number, options: InAccount & { column: Record<string, string> }) =>
      withImports('match', options, async ({ imports: verbs, ctx }) => {
        const before = await verbs.get(ctx, id);
        const matched = matchedBy(options.column, before.columns, before.matched);
        const one = await verbs.match(ctx, id, matched);
        print(await importText(verbs, ctx, one), factsOf(verbs, one), options);
      }),
    );

  ofOne('read', 're-read the file with another sheet, heading row or hidden rows')
    .option(
      '--sheet <place>',
      'the number of the sheet, from 1 (default: the first visible one)',
      idIn,
    )
    .option('--headings <row>', 'the heading row (default: detected)', idIn)
    .option('--hidden', 'also read hidden rows')
    .action((id: number, options: InAccount & ReadOptions) =>
      withImports('read', options, async ({ imports: verbs, ctx }) => {
        const one = await verbs.readAgain(ctx, id, {
          ...(options.sheet !== undefined && { sheet: options.sheet }),
          ...(options.headings !== undefined && { headings: options.headings }),
          hiddenToo: options.hidden ?? false,
        });
        print(await importText(verbs, ctx, one), factsOf(verbs, one), options);
      }),
    );

  ofOne('show', 'show the state and row errors of an import').action(
    (id: number, options: InAccount) =>
      withImports('show', options, async ({ imports: verbs, ctx }) => {
        const one = await verbs.get(ctx, id);
        print(await importText(verbs, ctx, one), factsOf(verbs, one), options);
      }),
  );
}

function decisionCommands(ofOne: Add): void {
  ofOne('confirm', 'confirm an import, so that its valid rows are created')
    .option('--repeats', 'also create rows whose reference already exists')
    .option('--again', 'confirm even if the same file was already imported')
    .action((id: number, options: InAccount & { repeats?: boolean; again?: boolean }) =>
      withImports('confirm', options, async ({ imports: verbs, ctx }) => {
        const { version } = await verbs.get(ctx, id);
        const { repeats: repeatsToo = false, again = false } = options;
        const one = await verbs.confirm(ctx, id, { version, repeatsToo, again });
        print(`import ${id} is running; follow it with imports show`, factsOf(verbs, one), options);
      }),
    );

  ofOne('discard', 'delete an import that was not confirmed').action(
    (id: number, options: InAccount) =>
      withImports('discard', options, async ({ imports: verbs, ctx }) => {
        const one = await verbs.discard(ctx, id);
        print(`import ${id} is discarded`, factsOf(verbs, one), options);
      }),
  );

  ofOne(
    'undo',
    'cancel the items of an import that are not paid, signed or being charged, and create no more',
  ).action((id: number, options: InAccount) =>
    withImports('undo', options, async ({ imports: verbs, ctx, by }) => {
      const one = await verbs.undo(ctx, id, by);
      print(
        `import ${id} is being undone; follow it with imports show`,
        factsOf(verbs, one),
        options,
      );
    }),
  );
}

function resultCommand(ofOne: Add): void {
  ofOne('result', 'write the outcome of each row as CSV or XLSX')
    .requiredOption('--to <file>', 'output file, .csv or .xlsx; must not exist')
    .action((id: number, options: InAccount & { to: string }) =>
      withImports('result', options, async ({ imports: verbs, ctx }) => {
        const result = await verbs.result(ctx, id);
        const file = createWriteStream(options.to, { flags: 'wx' });
        await pipeline(resultFile(result, { format: formatOf(options.to) }).file, file);
        print(`${options.to} has the outcome of each row`, { result_file: options.to }, options);
      }),
    );
}

function listCommand(command: Add): void {
  command('list', 'list the latest 100 imports of an account').action((options: InAccount) =>
    withImports('list', options, async ({ imports: verbs, ctx }) => {
      const rows = await verbs.list(ctx, { before: Number.MAX_SAFE_INTEGER, limit: 100 });
      printRows(
        rows.map((one) => ({
          id: one.id,
          kind: one.kind,
          state: one.state,
          file: one.file_name,
          rows: one.row_count,
          created: one.created,
          withdrawn: one.withdrawn,
          created_at: isoDateTime(one.created_at),
        })),
        options,
      );
    }),
  );
}

export function importCommands(program: Command): void {
  const imports = program
    .command('imports')
    .description('spreadsheets whose rows become payment requests, QRs, debits or mandates');
  const command: Add = (name, does) =>
    imports
      .command(name)
      .description(does)
      .requiredOption('--account <id>', 'the account')
      .option('--json', 'as JSON');
  const ofOne: Add = (name, does) =>
    command(name, does).argument('<id>', 'the number that `imports list` shows', idIn);
  draftCommands(command, ofOne);
  decisionCommands(ofOne);
  resultCommand(ofOne);
  listCommand(command);
}
