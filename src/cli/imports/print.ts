import {
  type Import,
  type Imports,
  missingFields,
  type Note,
  statedTotal,
} from '../../imports/index.ts';
import { type Centavos, formatPesos } from '../../kernel/money.ts';
import type { Ctx } from '../../platform/base.ts';

/** Maximum number of rows with remarks on a terminal. */
const maxRows = 20;

const pesosOf = (amount: Centavos | null): string | null =>
  amount === null ? null : formatPesos(amount);

/** Formats an import as one object, for scripts. */
export const factsOf = ({ kinds }: Imports, one: Import) => ({
  id: one.id,
  kind: one.kind,
  state: one.state,
  file: one.file_name,
  rows: one.row_count,
  faulty: one.faulty_count,
  existing: one.existing_count,
  amount: pesosOf(one.rows_amount),
  amount_to_create: pesosOf(one.sound_amount),
  amount_stated: pesosOf(statedTotal(kinds[one.kind], one)?.amount ?? null),
  missing: missingFields(kinds[one.kind].fields, one.matched).map(({ name }) => name),
  columns: one.columns,
  way: one.way,
  matched: one.matched,
  notes: one.notes,
  created: one.created,
  rejected: one.rejected,
  skipped: one.skipped,
  withdrawn: one.withdrawn,
  error: one.error,
});

function noteText(note: Note): string {
  switch (note.what) {
    case 'totals':
      return `rows with totals are skipped: ${note.rows.slice(0, 10).join(', ')}`;
    case 'above':
      return `the first ${note.rows} rows are above the headings and are skipped; to change this: imports read --headings`;
    case 'sheets':
      return `${note.name === undefined ? 'the first visible sheet' : `the sheet ${note.name}`} was read; there are ${note.others} more: imports read --sheet`;
    case 'hidden':
      return `hidden rows are skipped: ${note.rows.slice(0, 10).join(', ')}; imports read --hidden includes them`;
    case 'encoding':
      return `read as ${note.encoding}`;
    case 'same_name':
      return `several columns are named ${note.name}: choose one for each field`;
  }
}

/** Describes the sums, and the spreadsheet's own total. */
function sumsText({ kinds }: Imports, one: Import): string[] {
  if (one.rows_amount === null || one.sound_amount === null) return [];
  const sums = `the rows add up to ${formatPesos(one.rows_amount)}, those to create to ${formatPesos(one.sound_amount)}`;
  const stated = statedTotal(kinds[one.kind], one);
  if (stated === null) return [sums];
  const verdict = stated.amount === one.rows_amount ? 'agrees with' : 'DIFFERS from';
  return [`${sums}; this ${verdict} the total in row ${stated.row}, ${formatPesos(stated.amount)}`];
}

const columnsText = (one: Import): string[] =>
  Object.entries(one.matched)
    .filter(([, place]) => place !== null)
    .map(([field, place]) => `  ${field.padEnd(22)}${one.columns[place ?? 0]}`);

async function remarks(verbs: Imports, ctx: Ctx, one: Import): Promise<string[]> {
  const pages = await verbs.remarked(ctx, one.id, { from: 0, most: maxRows });
  const lines = pages.flatMap(({ faults, existing }) => [
    ...faults.flatMap(([row, found]) =>
      found.map(({ path, message }) => `  row ${row} ${path.join('.')}: ${message}`),
    ),
    ...existing.map(([row, id]) =>
      id === null
        ? `  row ${row} repeats the reference of an earlier row`
        : `  row ${row} has the reference of ${id}`,
    ),
  ]);
  return lines.length > maxRows ? [...lines.slice(0, maxRows), '  …'] : lines;
}

const progress = (one: Import): string =>
  `${one.created} created, ${one.rejected} rejected, ${one.skipped} skipped, ${one.withdrawn} withdrawn`;

export async function importText(
  verbs: Imports,
  ctx: Ctx,
  one: Import,
  sameFile: Import | null = null,
): Promise<string[]> {
  const { missing } = factsOf(verbs, one);
  return [
    `import ${one.id} is ${one.state}: ${one.row_count} rows of ${one.file_name}`,
    ...(one.state === 'draft' ? [] : [progress(one)]),
    ...(one.error === null ? [] : [String(one.error)]),
    ...(sameFile === null
      ? []
      : [
          `the same file was already imported, as import ${sameFile.id}; to import it again, add --again`,
        ]),
    ...one.notes.map(noteText),
    ...columnsText(one),
    ...(missing.length > 0 ? [`no column is assigned to: ${missing.join(', ')}`] : []),
    ...(one.faulty_count === null
      ? []
      : [`${one.faulty_count} rows have errors, ${one.existing_count} have existing references`]),
    ...sumsText(verbs, one),
    ...(await remarks(verbs, ctx, one)),
  ];
}
