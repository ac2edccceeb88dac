import { rename } from 'node:fs/promises';
import path from 'node:path';
import { claimRuns } from '../../debit-requests/index.ts';
import { zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import type { LeftOut } from '../files/format.ts';
import { noteHandover } from '../files/handover.ts';
import { findFilesOfDay, keepFile, type RailFile } from '../files/store.ts';
import type { DebitRailTerms, OutboundDebits } from './debit.ts';
import { type Chosen, type LineParts, workOn } from './lines.ts';
import { lockName, partIn, removeParts } from './part-files.ts';

export interface DebitExportParts extends LineParts {
  base: Base;
}

export interface DebitExportOrder {
  rail: OutboundDebits;
  date: Temporal.PlainDate;
  directory: string;
  /** Exports newly submitted debits even if the day already has a file. */
  another: boolean;
  actor: Actor;
  /** Counts this export as the author's download of the file. */
  takes?: boolean;
}

export interface DebitExportOutcome {
  /** `again`: rewritten with the same bytes. `nothing`: no debits are waiting. */
  outcome: 'exported' | 'again' | 'nothing';
  files: { file: RailFile; path: string }[];
  /** Debits that do not fit into the file. They keep waiting, and `rails waiting` lists them. */
  leftOut: LeftOut[];
}

const nameOn = ({ envelope }: Pick<DebitExportParts, 'envelope'>, { name }: RailFile): string =>
  envelope ? `${name}.cms` : name;

/** Returns the name for the nth file of a day: `name.txt`, `name-2.txt` and so on. */
function numbered(name: string, no: number): string {
  const { name: stem, ext } = path.parse(name);
  return no === 1 ? name : `${stem}-${no}${ext}`;
}

const timeOf = (instant: Temporal.Instant): Temporal.PlainTime =>
  instant.toZonedDateTimeISO('-03:00').toPlainTime();

/** A file that has not yet been renamed to its final name. */
interface Pending {
  file: RailFile;
  part: string;
  path: string;
}

/** Rewrites an exported file. Throws 409 if the bytes would differ. */
async function writeAgain(
  sql: Queryable,
  parts: DebitExportParts,
  { rail, directory }: Pick<DebitExportOrder, 'rail' | 'directory'>,
  terms: DebitRailTerms,
  file: RailFile,
): Promise<Pending> {
  const { file_date: date, lines: count, total, created_at } = file;
  const presentation = { date, time: timeOf(created_at), count, total };
  const plan = { fileId: file.id, presentation };
  const part = partIn(directory, rail.name, file.id);
  const changed = (why: string) => refusal('file.not_the_same', { id: file.id, why });
  try {
    const written = await workOn(parts, rail, terms).write(sql, { plan, target: part });
    if (!written.sha256.equals(file.sha256)) throw changed('none');
  } catch (error) {
    if (error instanceof RangeError) throw changed(error.message.replace(/[^.]$/, '$&.'));
    throw error;
  }
  return { file, part, path: path.join(directory, nameOn(parts, file)) };
}

interface Fresh {
  fileId: number;
  eventId: number;
  /** Position among the day's files. */
  no: number;
  /** Path of the unfinished file. */
  part: string;
}

/** Writes waiting debits in the transaction that marks them as exported. */
async function writeFresh(
  sql: Queryable,
  parts: DebitExportParts,
  { rail, date, actor }: DebitExportOrder,
  terms: DebitRailTerms,
  { fileId, eventId, no, part }: Fresh,
): Promise<{ file: RailFile | null; chosen: Chosen }> {
  const brands = rail.kind === 'card_debit_request' ? rail.brands(terms) : null;
  await claimRuns(sql, { fileId, kind: rail.kind, brands });
  const now = parts.base.clocks.business.now();
  const work = workOn(parts, rail, terms);
  const before = { date, time: timeOf(now), count: 0, total: zero };
  const chosen = await work.choose(sql, { fileId, presentation: before });
  const { count, total } = chosen;
  if (count === 0) return { file: null, chosen };
  const plan = { fileId, presentation: { ...before, count, total } };
  const written = await work.write(sql, { plan, target: part });
  const file = await keepFile(
    sql,
    { ...parts.base, actor, eventId },
    {
      id: fileId,
      rail: rail.name,
      direction: 'out',
      name: numbered(written.name, no),
      file_date: date,
      sha256: written.sha256,
      state: 'exported',
      lines: written.lines,
      total: written.total,
      created_at: now,
    },
  );
  return { file, chosen };
}

/** Result of the transaction. Its files must still be renamed. */
type Drafted = Pick<DebitExportOutcome, 'outcome' | 'leftOut'> & { pending: Pending[] };

/** Writes as many files as the debits need. Throws 400 unless the order is for today. */
async function writeAllFresh(
  sql: Queryable,
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
  before: number,
): Promise<Drafted> {
  if (!order.date.equals(terms.today)) throw refusal('file.not_today', { today: terms.today });
  const { rail, directory } = order;
  const pending: Pending[] = [];
  for (;;) {
    const [fileId = 0, eventId = 0] = await parts.base.recordIds.take(2);
    const part = partIn(directory, rail.name, fileId);
    const fresh = { fileId, eventId, no: before + pending.length + 1, part };
    const { file, chosen } = await writeFresh(sql, parts, order, terms, fresh);
    if (file) pending.push({ file, part, path: path.join(directory, nameOn(parts, file)) });
    if (file && chosen.more) continue;
    // Each file retries the left-out debits, so the last file lists them all.
    const outcome = pending.length > 0 ? 'exported' : 'nothing';
    return { outcome, pending, leftOut: chosen.leftOut };
  }
}

/** Writes an order's files under temporary names, in one transaction. */
async function draft(
  sql: Queryable,
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
): Promise<Drafted> {
  const { rail, date, another } = order;
  const before = await findFilesOfDay(sql, { rail: rail.name, direction: 'out', date });
  if (before.length === 0 || another) {
    return await writeAllFresh(sql, parts, order, terms, before.length);
  }
  const pending: Pending[] = [];
  for (const file of before) pending.push(await writeAgain(sql, parts, order, terms, file));
  return { outcome: 'again', pending, leftOut: [] };
}

/**
 * Submits pending debits to the bank or card processor, each in exactly one file. The transaction
 * that stores the file also marks its runs, and exporting again rewrites the same bytes, so a crash
 * neither loses nor repeats a debit. Debits that do not fit the format are left out and reported.
 * Debits beyond one file's capacity go into further files. Each export deletes the leftovers of an
 * interrupted one from the directory.
 */
export async function exportDebits(
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
): Promise<DebitExportOutcome> {
  const { sql } = parts.base;
  const lock = { mode: 'exclusive', wait: true } as const;
  // Hold the lock until the files are renamed, which happens after the commit.
  return await withAdvisoryLock(sql, lockName, lock, async () => {
    await removeParts(order.directory);
    try {
      const { pending, ...rest } = await sql.begin((tx) => draft(tx, parts, order, terms));
      const { envelope, base } = parts;
      for (const { file, part, path: target } of pending) {
        const taking = { name: path.basename(target), envelope, actor: order.actor };
        if (order.takes) await noteHandover(base, file, taking);
        await rename(part, target);
      }
      return { ...rest, files: pending.map(({ file, path: target }) => ({ file, path: target })) };
    } finally {
      await removeParts(order.directory);
    }
  });
}

/** Rewrites one exported file into the caller's directory. */
export async function writeDebitsAgain(
  parts: DebitExportParts,
  { file, ...order }: Pick<DebitExportOrder, 'rail' | 'directory'> & { file: RailFile },
  terms: DebitRailTerms,
): Promise<string> {
  const { part, path: target } = await parts.base.sql.begin((tx) =>
    writeAgain(tx, parts, order, terms, file),
  );
  await rename(part, target);
  return target;
}
