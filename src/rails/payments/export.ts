import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { compareDays } from '../../kernel/dates.ts';
import { type Centavos, plus, zero } from '../../kernel/money.ts';
import { allows, type PayableRow, payableOn } from '../../payment-requests/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import { workDone } from '../../platform/progress.ts';
import { refusal } from '../codes.ts';
import type { LeftOut, LineWriter, OutboundRail, RailTerms } from '../files/format.ts';
import { noteHandover } from '../files/handover.ts';
import { type PutLines, writeLines } from '../files/output.ts';
import { keepFile, type RailFile } from '../files/store.ts';

export interface ExportOrder {
  rail: OutboundRail;
  date: Temporal.PlainDate;
  directory: string;
  actor: Actor;
  /** Counts this export as the user's download of the files. */
  takes?: boolean;
}

type Day = Pick<ExportOrder, 'rail' | 'date'>;

export interface ExportOutcome {
  /** Files of the day, with their paths and those of their companions. */
  files: { file: RailFile; written: string[] }[];
  /** Requests that the format cannot express. The files contain all others. */
  leftOut: LeftOut[];
}

/** An unfinished file. Files keep temporary names until all parts of a day are complete. */
interface Part {
  writer: LineWriter;
  path: string;
  sha256: Buffer;
  lines: number;
  total: Centavos;
}

/** The remaining requests, read through a database cursor. */
class Payable {
  readonly #rows: AsyncIterator<PayableRow>;
  #next: IteratorResult<PayableRow> | null = null;

  constructor(rows: AsyncIterable<PayableRow>) {
    this.#rows = rows[Symbol.asyncIterator]();
  }

  /** Returns the next request without consuming it, or null at the end. */
  async peek(): Promise<PayableRow | null> {
    this.#next ??= await this.#rows.next();
    return this.#next.done ? null : this.#next.value;
  }

  take(): void {
    this.#next = null;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }
}

const linesAtOnce = 500;

async function* allowedOn(
  { sql }: Base,
  { rail, date }: Day,
  { today }: RailTerms,
): AsyncGenerator<PayableRow> {
  for await (const rows of payableOn(sql, date, today)) {
    yield* rows.filter(({ request }) => allows(request, rail.channel));
  }
}

/** Returns a request's line, or why the format cannot express it. */
function lineOf(writer: LineWriter, row: PayableRow): string | LeftOut {
  try {
    return writer.line(row);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { account_id: accountId, id: requestId } = row.request;
    return { accountId, requestId, reason: error.message };
  }
}

/** Writes requests until none is left or the file is full. */
async function fill(
  put: PutLines,
  { writer, room }: { writer: LineWriter; room: OutboundRail['room'] },
  { payable, leftOut }: { payable: Payable; leftOut: LeftOut[] },
): Promise<Pick<Part, 'lines' | 'total'>> {
  let lines = 0;
  let total = zero;
  let waiting: string[] = [writer.head()];
  for (;;) {
    const row = await payable.peek();
    if (!row) break;
    const isFull = lines >= room.count || total + row.request.total1 > room.total;
    if (isFull && lines > 0) break;
    payable.take();
    const line = lineOf(writer, row);
    if (typeof line !== 'string') {
      leftOut.push(line);
      continue;
    }
    lines += 1;
    total = plus(total, row.request.total1);
    if (waiting.push(line) < linesAtOnce) continue;
    await put(waiting);
    workDone(waiting.length);
    waiting = [];
  }
  await put([...waiting, writer.tail()]);
  return { lines, total };
}

const writerFor = (
  { rail, date }: Day,
  terms: RailTerms,
  no: number,
): ReturnType<OutboundRail['createWriter']> => {
  try {
    return rail.createWriter(terms, date, no);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refusal('file.no_more_parts', { rail: rail.name, why: error.message });
  }
};

/** Writes the companion of a finished file, and gives both their final names. */
async function publish({ writer, path: target }: Part): Promise<string[]> {
  const companion = writer.companion();
  const written = [target];
  if (companion) {
    const beside = path.join(path.dirname(target), companion.name);
    await writeLines(`${beside}.part`, (put) => put(companion.lines));
    await rename(`${beside}.part`, beside);
    written.push(beside);
  }
  await rename(`${target}.part`, target);
  return written;
}

/**
 * Locks the directory, because all exports use the same temporary names and could publish each
 * other's unfinished files.
 */
const alone = <T>({ sql }: Base, directory: string, write: () => Promise<T>): Promise<T> =>
  withAdvisoryLock(
    sql,
    `publications in ${path.resolve(directory)}`,
    { mode: 'exclusive', wait: true },
    write,
  );

type Use<T> = (parts: Part[], leftOut: LeftOut[]) => Promise<T>;
type Written = Day & Pick<ExportOrder, 'directory'>;

/** Writes a day's files under temporary names and passes them to `use`. */
const withParts = <T>(base: Base, order: Written, terms: RailTerms, use: Use<T>): Promise<T> =>
  alone(base, order.directory, () => writeParts(base, order, terms, use));

async function writeParts<T>(
  base: Base,
  order: Written,
  terms: RailTerms,
  use: Use<T>,
): Promise<T> {
  const { rail, date, directory } = order;
  if (compareDays(date, terms.today) > 0) throw refusal('file.future', { today: terms.today });
  const payable = new Payable(allowedOn(base, order, terms));
  const leftOut: LeftOut[] = [];
  const parts: Part[] = [];
  const begun: string[] = [];
  try {
    do {
      const writer = writerFor(order, terms, parts.length + 1);
      const target = path.join(directory, writer.name);
      begun.push(target);
      let filled: Pick<Part, 'lines' | 'total'> = { lines: 0, total: zero };
      const sha256 = await writeLines(`${target}.part`, async (put) => {
        filled = await fill(put, { writer, room: rail.room }, { payable, leftOut });
      });
      parts.push({ writer, path: target, sha256, ...filled });
    } while (await payable.peek());
    return await use(parts, leftOut);
  } finally {
    await payable.close();
    for (const one of begun) await rm(`${one}.part`, { force: true });
  }
}

/**
 * Publishes the requests that are payable on a day, as of its start, so that the same day always
 * yields the same bytes. Leaves out and reports requests that the format cannot express. Continues
 * in further files beyond one file's capacity. Throws 400 for a future day, or for more parts than
 * the format allows.
 */
export const exportFile = (
  base: Base,
  order: ExportOrder,
  terms: RailTerms,
): Promise<ExportOutcome> =>
  withParts(base, order, terms, async (parts, leftOut) => ({
    files: await keepParts(base, order, parts),
    leftOut,
  }));

/**
 * Rewrites an exported file and its companion. Returns the paths. Throws 409 if the bytes would
 * differ.
 */
export const writeFileAgain = (
  base: Base,
  order: Omit<ExportOrder, 'date' | 'actor' | 'takes'> & { file: RailFile },
  terms: RailTerms,
): Promise<string[]> =>
  withParts(base, { ...order, date: order.file.file_date }, terms, async (parts) => {
    const same = parts.find(({ sha256 }) => sha256.equals(order.file.sha256));
    if (same) return await publish(same);
    throw refusal('file.not_the_same', { id: order.file.id, why: 'none' });
  });

async function keepParts(
  base: Base,
  { rail, date, actor, takes = false }: ExportOrder,
  parts: Part[],
): Promise<ExportOutcome['files']> {
  const files: ExportOutcome['files'] = [];
  for (const part of parts) {
    const written = await publish(part);
    const [id = 0, eventId = 0] = await base.recordIds.take(2);
    const file = await keepFile(
      base.sql,
      { ...base, actor, eventId },
      {
        id,
        rail: rail.name,
        direction: 'out',
        name: part.writer.name,
        file_date: date,
        sha256: part.sha256,
        state: 'exported',
        lines: part.lines,
        total: part.total,
        created_at: base.clocks.business.now(),
      },
    );
    for (const place of takes ? written : []) {
      await noteHandover(base, file, { name: path.basename(place), envelope: null, actor });
    }
    files.push({ file, written });
  }
  return files;
}
