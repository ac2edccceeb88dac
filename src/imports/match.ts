import type { Base, Ctx } from '../platform/base.ts';
import type { SheetField } from '../platform/spreadsheets/fields.ts';
import {
  headingsOf,
  type Matched,
  missingFields,
  suggestMatch,
} from '../platform/spreadsheets/headings.ts';
import { checkAll } from './check.ts';
import { refusal } from './codes.ts';
import { type Import, keyOf } from './import.ts';
import type { Kinds } from './kinds/kind.ts';
import { noteImport } from './note.ts';
import { findDraft, matchedSet, moveImport, readHeadings, rememberHeadings } from './store.ts';
import { type CheckedPage, storeChecks } from './store-pages.ts';

interface Match {
  matched: Matched;
  /** True to remember the headings for later imports. */
  remember: boolean;
}

const countOf = (pages: readonly CheckedPage[]) => ({
  faulty: pages.reduce((sum, { faulty }) => sum + faulty, 0),
  existing: pages.reduce((sum, { existing }) => sum + existing, 0),
});

/**
 * Stores a match with the draft, and checks all rows if every required field has a column. Returns
 * null if the draft was concurrently changed or confirmed.
 */
const writeMatch =
  (base: Base, kinds: Kinds) =>
  async (ctx: Ctx, one: Import, { matched, remember }: Match): Promise<Import | null> => {
    const { sql, recordIds } = base;
    const kind = kinds[one.kind];
    const isWhole = missingFields(kind.fields, matched).length === 0;
    const checked = isWhole ? await checkAll(sql, kind, { ...one, matched }) : null;
    const counts = checked && { ...countOf(checked.pages), sums: checked.sums };
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const set = matchedSet(tx, matched, counts);
      const moved = await moveImport(tx, keyOf(one), 'match', { set, seen: one.version });
      if (!moved) return null;
      if (checked) await storeChecks(tx, keyOf(one), checked.pages);
      if (remember) {
        const headings = headingsOf(one.columns, matched);
        await rememberHeadings(tx, { accountId: one.account_id, kind: one.kind }, headings);
      }
      const data = counts === null ? {} : { faulty: counts.faulty, existing: counts.existing };
      await noteImport(tx, base, moved, { event: 'matched', actor: ctx.actor, eventId, data });
      return moved;
    });
  };

/** Matches a draft that was just read, by the headings that its account matched before. */
export function matchKnown(base: Base, kinds: Kinds) {
  const write = writeMatch(base, kinds);
  return async (ctx: Ctx, one: Import): Promise<Import | null> => {
    const remembered = await readHeadings(base.sql, one.account_id, one.kind);
    const matched = suggestMatch(kinds[one.kind].fields, one.columns, remembered);
    return await write(ctx, one, { matched, remember: false });
  };
}

/** Validates a match: known fields, each with an existing column of its own. */
function checkedMatch(fields: readonly SheetField[], one: Import, match: Matched): Matched {
  const known = fields.map(({ name }) => name);
  const unknown = Object.keys(match).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw refusal('import.unknown_field', { field: unknown, known: known.join(', ') });
  }
  const matched = Object.fromEntries(known.map((name) => [name, match[name] ?? null]));
  const places = Object.values(matched).filter((place) => place !== null);
  const last = one.columns.length - 1;
  if (places.some((place) => !Number.isInteger(place) || place < 0 || place > last)) {
    throw refusal('import.no_such_column', { columns: last + 1 });
  }
  if (new Set(places).size < places.length) {
    throw refusal('import.column_twice', {});
  }
  return matched;
}

/**
 * Sets each field's column, and remembers the headings for the next file of the account and kind.
 * Checks all rows once every required field has a column. Throws 422 for an invalid match, 409 if
 * it is no longer a draft or was changed concurrently.
 */
export function matchImport(base: Base, kinds: Kinds) {
  const write = writeMatch(base, kinds);
  return async (ctx: Ctx, id: number, match: Matched): Promise<Import> => {
    const one = await findDraft(base.sql, { accountId: ctx.accountId, id });
    const matched = checkedMatch(kinds[one.kind].fields, one, match);
    const moved = await write(ctx, one, { matched, remember: true });
    if (!moved) throw refusal('import.changed', {});
    return moved;
  };
}
