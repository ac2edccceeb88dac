import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Refusal } from '../../platform/errors.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import { refusal } from '../codes.ts';
import { type CheckedFile, checkFile, type FileEntry, itemsOf, type Placed } from './content.ts';
import type { LineReader } from './format.ts';
import { type Source, sourceName } from './lines.ts';
import {
  type AnySummary,
  findFile,
  findSibling,
  keepFile,
  type Noting,
  noteApplied,
  type RailFile,
} from './store.ts';

export interface IntakeOrder<Item> {
  rail: string;
  createReader(): LineReader<Item>;
  file: Source;
  /** Accepts a file even if another one of its day was imported. */
  sameDay: boolean;
  actor: Actor;
}

/** Format-specific steps of an import. */
export interface Handling<Item, Line, Summary> {
  /** Only one import per lock runs at a time. Another one is refused. */
  lock: string;
  /** Reads the whole file under the lock, before its first lines are decided. */
  survey?(items: AsyncIterable<Placed<Item>[]>): Promise<void>;
  /**
   * Decides the outcomes of items and stores them. `underWay` are earlier lines that are still
   * being applied.
   */
  decide(file: RailFile, items: Placed<Item>[], underWay: Line[]): Promise<Line[]>;
  /** Applies the decisions. Idempotent. */
  apply(lines: Line[]): Promise<void>;
  /** Totals the outcomes of the lines and closes the file. */
  close(fileId: number, noting: Noting): Promise<Summary>;
}

/** `known`: the same content was imported before, so nothing changed. */
export interface IntakeOutcome<Summary> {
  outcome: 'imported' | 'known';
  file: RailFile;
  summary: Summary;
}

/** Maximum number of chunks being written while the next one is read and matched. */
const chunksAtOnce = 2;

/**
 * Returns the refusal of a second file of a day. Networks send one a day, so it probably repeats
 * the same payments.
 */
const siblingRefusal = ({ id, rail, name, file_date: day, state }: RailFile): Refusal =>
  refusal(state === 'imported' ? 'file.same_day' : 'file.same_day_begun', { rail, day, name, id });

async function keep<Item>(
  { sql, clocks }: Base,
  { rail, file, sameDay, actor }: IntakeOrder<Item>,
  checked: CheckedFile,
  { id, eventId }: { id: number; eventId: number },
): Promise<RailFile> {
  const { sha256, date: file_date } = checked;
  const known = await findFile(sql, { rail, direction: 'in', sha256 });
  if (known) return known;
  const sibling = await findSibling(sql, { rail, file_date });
  if (sibling && !sameDay) throw siblingRefusal(sibling);
  return await keepFile(
    sql,
    { clocks, actor, eventId },
    {
      id,
      rail,
      direction: 'in',
      name: sourceName(file),
      file_date,
      sha256,
      state: 'importing',
      lines: checked.lines,
      total: checked.total,
      created_at: clocks.business.now(),
    },
  );
}

/**
 * Applies a file's items in chunks. Stores each line's decision first, under the line's own
 * idempotency key, so that an interrupted import resumes where it stopped.
 */
async function applyAll<Item extends FileEntry, Line, Summary>(
  { sql }: Base,
  order: IntakeOrder<Item>,
  { decide, apply }: Handling<Item, Line, Summary>,
  checked: CheckedFile,
  file: RailFile,
): Promise<void> {
  const underWay: { lines: Line[]; until: number; done: Promise<void> }[] = [];
  const settleFirst = async (): Promise<void> => {
    const first = underWay[0];
    if (!first) return;
    await first.done;
    underWay.shift();
    await noteApplied(sql, file.id, first.until);
    workDone(first.lines.length);
  };
  let seen = 0;
  workExpected(checked.lines - file.applied);
  try {
    for await (const items of itemsOf(order.createReader(), order.file, checked)) {
      const chunk = items.slice(Math.max(file.applied - seen, 0));
      seen += items.length;
      if (chunk.length === 0) continue;
      const lines = await decide(
        file,
        chunk,
        underWay.flatMap((one) => one.lines),
      );
      while (underWay.length >= chunksAtOnce) await settleFirst();
      const done = apply(lines);
      // Awaited later, in order. Until then this prevents an unhandled rejection.
      done.catch(() => {});
      underWay.push({ lines, until: seen, done });
    }
    while (underWay.length > 0) await settleFirst();
  } finally {
    await Promise.allSettled(underWay.map(({ done }) => done));
  }
}

/**
 * Imports a file: checks all of it first, then applies each line once, however often the file is
 * imported. Rejects a faulty file, naming line and column, and changes nothing.
 */
export async function takeIn<Item extends FileEntry, Line, Summary extends AnySummary>(
  base: Base,
  order: IntakeOrder<Item>,
  handling: Handling<Item, Line, Summary>,
): Promise<IntakeOutcome<Summary>> {
  const checked = await checkFile(order.createReader(), order.file);
  const [id = 0, received = 0, closed = 0] = await base.recordIds.take(3);
  const lock = { mode: 'exclusive', wait: false } as const;
  const outcome = await withAdvisoryLock<IntakeOutcome<Summary>>(
    base.sql,
    handling.lock,
    lock,
    async () => {
      const file = await keep(base, order, checked, { id, eventId: received });
      if (file.state === 'imported' && file.summary) {
        // `Handling.close` of the same rail wrote this summary.
        return { outcome: 'known', file, summary: file.summary as Summary };
      }
      await handling.survey?.(itemsOf(order.createReader(), order.file, checked));
      await applyAll(base, order, handling, checked, file);
      return {
        outcome: 'imported',
        file,
        summary: await handling.close(file.id, { ...base, actor: order.actor, eventId: closed }),
      };
    },
  );
  if (outcome === null) throw refusal('file.importing', { rail: order.rail });
  return outcome;
}
