import { webcrypto } from 'node:crypto';
import { accountRefusal, refuseUnlessActive } from '../accounts/index.ts';
import { hasControl, lengthOf } from '../kernel/text.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { readSpreadsheet } from '../platform/spreadsheets/read.ts';
import { refusal, tooMany } from './codes.ts';
import { type Import, keyOf, largestFile, mostDrafts, tableLimits } from './import.ts';
import type { KindName, Kinds } from './kinds/kind.ts';
import { matchKnown } from './match.ts';
import { noteImport } from './note.ts';
import { countDrafts, insertImport, type NewImport, readImport, readSameFile } from './store.ts';
import { storeFile } from './store-files.ts';

export interface Upload {
  kind: KindName;
  fileName: string;
  bytes: Uint8Array;
}

export interface Uploaded {
  import: Import;
  /** The last import of the same file that was confirmed and not undone, or null. */
  sameFile: Import | null;
}

const longestName = 255;

/** Reduces a file name to one line, because it is stored and displayed. */
function nameOf(fileName: string): string {
  const name = fileName
    .replaceAll(/^.*[/\\]/gs, '')
    .toWellFormed()
    .trim();
  const isText = name !== '' && !hasControl(name, { lineBreaks: false });
  return isText && lengthOf(name) <= longestName ? name : 'spreadsheet';
}

function refuseLarge(bytes: Uint8Array): void {
  if (bytes.length <= largestFile) return;
  throw refusal('import.file_too_large', { bytes: bytes.length, most: largestFile });
}

/** Computes the hash off the event loop, because the largest file takes tens of milliseconds. */
const sha256Of = async (bytes: Uint8Array): Promise<Buffer> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', new Uint8Array(bytes)));

async function refuseMoreDrafts(tx: Transaction, accountId: string): Promise<void> {
  const count = await countDrafts(tx, accountId);
  if (count < mostDrafts) return;
  throw tooMany('import.too_many_drafts', { count, most: mostDrafts }, null);
}

/**
 * Stores a spreadsheet's rows as a draft, matched by known headings and checked. Creates nothing.
 * Returns the existing draft of the same file. Throws 400 for an unreadable file, 409 if the
 * account is not active or the file is being uploaded concurrently, 429 if it has too many drafts.
 */
export function uploadImport(base: Base, kinds: Kinds) {
  const { sql, clocks, recordIds } = base;
  const match = matchKnown(base, kinds);

  const store = async (
    ctx: Ctx,
    one: NewImport,
    { pages, bytes }: { pages: readonly string[]; bytes: Uint8Array },
  ): Promise<Uploaded> => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      await lockNames(tx, `imports ${ctx.accountId}`);
      const same = await readSameFile(tx, one);
      if (same.draft) return { import: same.draft, sameFile: same.done };
      await refuseMoreDrafts(tx, ctx.accountId);
      const made = await insertImport(tx, one, pages);
      if (!made) throw refusal('import.uploading', {});
      await storeFile(tx, keyOf(made), bytes);
      const data = { file_name: made.file_name, kind: made.kind, rows: made.row_count };
      await noteImport(tx, base, made, { event: 'uploaded', actor: ctx.actor, eventId, data });
      return { import: made, sameFile: same.done };
    });
  };

  return async (ctx: Ctx, { kind, fileName, bytes }: Upload): Promise<Uploaded> => {
    refuseLarge(bytes);
    await refuseUnlessActive(sql, ctx.accountId, () =>
      accountRefusal('account.creates_nothing', {}),
    );
    kinds[kind].refuseUnlessOffered?.();
    const table = await readSpreadsheet(bytes, tableLimits, ctx.accountId);
    const uploaded = await store(
      ctx,
      {
        account_id: ctx.accountId,
        id: await recordIds.next(),
        kind,
        created_at: clocks.business.now(),
        file_name: nameOf(fileName),
        sha256: await sha256Of(bytes),
        columns: table.columns,
        notes: table.notes,
        way: table.way,
        row_count: table.count,
      },
      { pages: table.pages, bytes },
    );
    // An existing draft retains the user's match.
    if (uploaded.import.version > 1) return uploaded;
    const checked = await match(ctx, uploaded.import);
    // A concurrent upload of the same file was matched first, so its draft counts.
    const one = checked ?? (await readImport(sql, keyOf(uploaded.import)));
    return { ...uploaded, import: one ?? uploaded.import };
  };
}
