import type { Base, Ctx } from '../platform/base.ts';
import { readSpreadsheet } from '../platform/spreadsheets/read.ts';
import type { Reading } from '../platform/spreadsheets/table.ts';
import { refusal } from './codes.ts';
import { type Import, keyOf, tableLimits } from './import.ts';
import type { Kinds } from './kinds/kind.ts';
import { matchKnown } from './match.ts';
import { noteImport } from './note.ts';
import { findDraft, moveImport, readSet, storePages } from './store.ts';
import { readFile } from './store-files.ts';
import { dropPages } from './store-pages.ts';

/**
 * Reads a draft's file with other options: another sheet, heading row, or hidden rows too. Matches
 * and checks its rows as for an upload. Throws 409 if it is no longer a draft, was changed
 * concurrently, or its file is no longer stored.
 */
export function readAgain(base: Base, kinds: Kinds) {
  const { sql, recordIds } = base;
  const match = matchKnown(base, kinds);
  return async (ctx: Ctx, id: number, reading: Reading): Promise<Import> => {
    const one = await findDraft(sql, { accountId: ctx.accountId, id });
    const bytes = await readFile(sql, keyOf(one));
    if (!bytes) throw refusal('import.file_forgotten', {});
    const table = await readSpreadsheet(bytes, tableLimits, ctx.accountId, reading);
    const eventId = await recordIds.next();
    const moved = await sql.begin(async (tx) => {
      const set = readSet(tx, table);
      const reread = await moveImport(tx, keyOf(one), 'read', { set, seen: one.version });
      if (!reread) throw refusal('import.changed', {});
      await dropPages(tx, keyOf(one));
      await storePages(tx, keyOf(one), table.pages);
      const data = { rows: reread.row_count, ...reading };
      await noteImport(tx, base, reread, { event: 'read_again', actor: ctx.actor, eventId, data });
      return reread;
    });
    const checked = await match(ctx, moved);
    if (!checked) throw refusal('import.changed', {});
    return checked;
  };
}
