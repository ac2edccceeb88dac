import path from 'node:path';
import { formatDay } from '../kernel/dates.ts';
import type { Base } from '../platform/base.ts';
import { conflict, Refusal } from '../platform/errors.ts';
import { withAdvisoryLock } from '../platform/postgres/connect.ts';
import { type Books, bookLines, decideLines } from './book.ts';
import { type CheckedFile, checkFile, itemsOf } from './content.ts';
import type { InboundRail, RailTerms } from './format.ts';
import {
  closeFile,
  findFile,
  findSibling,
  type ImportSummary,
  keepFile,
  noteApplied,
  type RailFile,
} from './store.ts';

export interface ImportParts extends Books {
  base: Base;
}

export interface ImportOrder {
  rail: InboundRail;
  /** Its path. */
  file: string;
  /** Takes a file although another one of its day came in. */
  sameDay: boolean;
}

/** `known`: the same content was imported before, and nothing changed. */
export interface ImportOutcome {
  outcome: 'imported' | 'known';
  file: RailFile;
  summary: ImportSummary;
}

/** Chunks that are written while the next one is read and matched. */
const chunksAtOnce = 2;

/** Networks send one file a day: another one is likely the same money again. */
const siblingRefusal = ({ id, rail, name, file_date, state }: RailFile): string => {
  const day = formatDay(file_date);
  return state === 'imported'
    ? `Another file of ${rail} of ${day}, ${name}, was imported before as ${id}. If both hold ` +
        'money of their own, repeat with --same-day.'
    : `Another file of ${rail} of ${day}, ${name}, was begun as ${id} and not ended. Import that ` +
        'one again first, or repeat with --same-day.';
};

async function keep(
  { base: { sql, clocks } }: ImportParts,
  order: ImportOrder,
  checked: CheckedFile,
  id: number,
): Promise<RailFile> {
  const { sha256, date: file_date } = checked;
  const rail = order.rail.name;
  const known = await findFile(sql, { rail, direction: 'in', sha256 });
  if (known) return known;
  const sibling = await findSibling(sql, { rail, file_date });
  if (sibling && !order.sameDay) throw conflict(siblingRefusal(sibling));
  return await keepFile(sql, {
    id,
    rail,
    direction: 'in',
    name: path.basename(order.file),
    file_date,
    sha256,
    state: 'importing',
    lines: checked.lines,
    total: checked.total,
    created_at: clocks.business.now(),
  });
}

/**
 * Books a file's payments, chunk after chunk. What a line is taken for is decided and kept before
 * it is booked, and each line is booked under a name of its own, so an import that broke off goes
 * on where it stopped.
 */
async function apply(
  parts: ImportParts,
  order: ImportOrder,
  terms: RailTerms,
  checked: CheckedFile,
  file: RailFile,
): Promise<void> {
  const underWay: { ids: number[]; until: number; done: Promise<void> }[] = [];
  const settleFirst = async (): Promise<void> => {
    const first = underWay[0];
    if (!first) return;
    await first.done;
    underWay.shift();
    await noteApplied(parts.base.sql, file.id, first.until);
  };
  let seen = 0;
  try {
    for await (const payments of itemsOf(order.rail.open(terms), order.file, checked)) {
      const chunk = payments.slice(Math.max(file.applied - seen, 0));
      seen += payments.length;
      if (chunk.length === 0) continue;
      const lines = await decideLines(
        parts.base.sql,
        file,
        chunk,
        new Set(underWay.flatMap(({ ids }) => ids)),
      );
      while (underWay.length >= chunksAtOnce) await settleFirst();
      const done = bookLines(parts, order.rail, lines);
      // Awaited in its turn: until then a failure is nobody's.
      done.catch(() => {});
      underWay.push({
        ids: lines.flatMap(({ request }) => (request ? [request.id] : [])),
        until: seen,
        done,
      });
    }
    while (underWay.length > 0) await settleFirst();
  } finally {
    await Promise.allSettled(underWay.map(({ done }) => done));
  }
}

/**
 * Imports a file of a network: checked whole first, then booked; each payment once, however often
 * the file is imported. Refuses a file that is wrong, with its line and columns, and changes nothing.
 */
export async function importFile(
  parts: ImportParts,
  order: ImportOrder,
  terms: RailTerms,
): Promise<ImportOutcome> {
  const { sql, recordIds } = parts.base;
  const checked = await checkFile(order.rail.open(terms), order.file);
  const id = await recordIds.next();
  const lock = { mode: 'exclusive', wait: false } as const;
  const outcome = await withAdvisoryLock(sql, `rail ${order.rail.name}`, lock, async () => {
    const file = await keep(parts, order, checked, id);
    if (file.state === 'imported' && file.summary) {
      return { outcome: 'known', file, summary: file.summary } as const;
    }
    await apply(parts, order, terms, checked, file);
    return { outcome: 'imported', file, summary: await closeFile(sql, file.id) } as const;
  });
  if (outcome === null) {
    throw new Refusal(
      'conflict',
      `A file of ${order.rail.name} is being imported now. Wait until that import is done.`,
    );
  }
  return outcome;
}
