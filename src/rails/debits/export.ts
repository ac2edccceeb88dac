import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, sumOf } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import type { Envelope } from '../../platform/envelope.ts';
import { conflict, Refusal } from '../../platform/errors.ts';
import { type Queryable, withAdvisoryLock } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import { whole, writeLines } from '../files/output.ts';
import { findFilesOfDay, keepFile, type RailFile } from '../files/store.ts';
import type {
  DebitRailTerms,
  DebitWriter,
  OutboundDebits,
  Presentation,
  Submission,
} from './debit.ts';
import { bankSubmissions, cardSubmissions, claimRuns, releaseRuns } from './submissions.ts';

export interface DebitExportParts {
  base: Base;
  vault: Vault;
  /** Encrypts what is written; null: it lies there in clear. */
  envelope: Envelope | null;
}

export interface DebitExportOrder {
  rail: OutboundDebits;
  /** The day of the file. */
  date: Temporal.PlainDate;
  /** Where it goes. */
  directory: string;
  /** Takes what was submitted since, although a file of this day went out before. */
  another: boolean;
}

export interface DebitExportOutcome {
  /** `again`: written before, and now the same bytes once more; `nothing`: no debit waits. */
  outcome: 'exported' | 'again' | 'nothing';
  files: { file: RailFile; path: string }[];
}

/** Files of debits take from one store, so they are written one after the other. */
const lockName = 'debit files out';

/** A file's lines, whatever they are made of. */
interface Lines<S extends Submission> {
  takes(submission: S, terms: DebitRailTerms): boolean;
  writer(presentation: Presentation): DebitWriter<S>;
  groups(sql: Queryable, key: { fileId: number; date: Temporal.PlainDate }): AsyncIterable<S[]>;
}

interface Plan {
  fileId: number;
  presentation: Presentation;
  /** Whether lines are still to be chosen; in a file that went out they stay. */
  fresh: boolean;
}

interface Written {
  name: string;
  sha256: Buffer;
  lines: number;
  total: Centavos;
}

/** Names the debit that does not fit. */
function lineOf<S extends Submission>(writer: DebitWriter<S>, submission: S): string {
  try {
    return writer.line(submission);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`debit ${submission.run.request_id}: ${error.message}`);
  }
}

/** Writes the runs of a file; those that are of another file are let go. */
async function writeRuns<S extends Submission>(
  sql: Queryable,
  { takes, writer: open, groups }: Lines<S>,
  terms: DebitRailTerms,
  { plan, target, envelope }: { plan: Plan; target: string; envelope: Envelope | null },
): Promise<Written> {
  const { fileId, presentation, fresh } = plan;
  const writer = open(presentation);
  const others: Submission['run'][] = [];
  let lines = 0;
  let total = 0 as Centavos;
  const sha256 = await writeLines(
    target,
    async (put) => {
      await put([writer.head()]);
      for await (const group of groups(sql, { fileId, date: presentation.date })) {
        const own = fresh ? group.filter((one) => takes(one, terms)) : group;
        if (own.length < group.length) {
          const taken = new Set(own);
          others.push(...group.filter((one) => !taken.has(one)).map(({ run }) => run));
        }
        lines += own.length;
        total = sumOf([total, ...own.map(({ run }) => run.amount)]);
        await put(own.map((one) => lineOf(writer, one)));
      }
      const tail = writer.tail();
      if (tail !== null) await put([tail]);
    },
    { envelope },
  );
  if (others.length > 0) await releaseRuns(sql, fileId, others);
  return { name: writer.name, sha256, lines, total };
}

/** Writes a file of either kind; what does not fit is refused in words. */
async function writeFile(
  sql: Queryable,
  { vault, envelope }: DebitExportParts,
  rail: OutboundDebits,
  terms: DebitRailTerms,
  work: { plan: Plan; target: string },
): Promise<Written> {
  try {
    return rail.kind === 'debit_request'
      ? await writeRuns(
          sql,
          { takes: rail.takes, writer: (of) => rail.open(terms, of), groups: bankSubmissions },
          terms,
          { ...work, envelope },
        )
      : await writeRuns(
          sql,
          {
            takes: rail.takes,
            writer: (of) => rail.open(terms, of),
            groups: (tx, key) => cardSubmissions(tx, vault, key),
          },
          terms,
          { ...work, envelope },
        );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal('invalid', `This does not fit a file of ${rail.name}: ${error.message}`);
  }
}

/** What a file is called on the disk. */
const nameOn = ({ envelope }: DebitExportParts, { name }: RailFile): string =>
  envelope ? `${name}.cms` : name;

/** `name.txt`, then `name-2.txt` for another file of the day. */
function numbered(name: string, no: number): string {
  const { name: stem, ext } = path.parse(name);
  return no === 1 ? name : `${stem}-${no}${ext}`;
}

const timeOf = (instant: Temporal.Instant): Temporal.PlainTime =>
  instant.toZonedDateTimeISO('-03:00').toPlainTime();

/** Writes a file again as it went out; refuses where it would be another one by now. */
async function writeAgain(
  sql: Queryable,
  parts: DebitExportParts,
  { rail, directory }: DebitExportOrder,
  terms: DebitRailTerms,
  file: RailFile,
): Promise<string> {
  const target = path.join(directory, nameOn(parts, file));
  const { file_date: date, lines: count, total, created_at } = file;
  const presentation = { date, time: timeOf(created_at), count, total };
  await whole(target, async (part) => {
    const plan = { fileId: file.id, presentation, fresh: false };
    const written = await writeFile(sql, parts, rail, terms, { plan, target: part });
    if (written.sha256.equals(file.sha256)) return;
    throw conflict(
      `File ${file.id} would not be the same by now: what ${rail.name} is configured with was ` +
        'changed since. Nothing was written.',
    );
  });
  return target;
}

const lateRefusal = (today: Temporal.PlainDate): Refusal =>
  new Refusal(
    'invalid',
    `Debits go out in a file of today, ${formatDay(today)}. Of an earlier day only what went out ` +
      'then can be written again.',
  );

interface Fresh {
  fileId: number;
  /** Which of the day's files it is. */
  no: number;
  /** Where it is written before it counts. */
  part: string;
}

/** Takes what waits and writes it, in the transaction that marks it as taken. */
async function writeFresh(
  sql: Queryable,
  parts: DebitExportParts,
  { rail, date }: DebitExportOrder,
  terms: DebitRailTerms,
  { fileId, no, part }: Fresh,
): Promise<RailFile | null> {
  if (!date.equals(terms.today)) throw lateRefusal(terms.today);
  const brand = rail.kind === 'card_debit_request' ? rail.brand : null;
  const sums = await claimRuns(sql, { fileId, kind: rail.kind, brand });
  if (sums.count === 0) return null;
  const now = parts.base.clocks.business.now();
  const plan = { fileId, presentation: { date, time: timeOf(now), ...sums }, fresh: true };
  const written = await writeFile(sql, parts, rail, terms, { plan, target: part });
  if (written.lines === 0) return null;
  return await keepFile(sql, {
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
  });
}

const nothing: DebitExportOutcome = { outcome: 'nothing', files: [] };

/**
 * Puts the debits that wait to the bank or card processor: each goes out in one file, once. Runs
 * are marked in the transaction that keeps the file, and a file that went out is written again with
 * the same bytes, so nothing is lost or sent twice if the machine dies in between.
 */
export async function exportDebits(
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
): Promise<DebitExportOutcome> {
  const { sql, recordIds } = parts.base;
  const { rail, date, directory, another } = order;
  const fileId = await recordIds.next();
  const part = path.join(directory, `${rail.name}-${fileId}.part`);
  const lock = { mode: 'exclusive', wait: true } as const;
  try {
    const outcome = await withAdvisoryLock<DebitExportOutcome>(sql, lockName, lock, async (tx) => {
      const before = await findFilesOfDay(tx, { rail: rail.name, direction: 'out', date });
      if (before.length > 0 && !another) {
        const files: DebitExportOutcome['files'] = [];
        for (const file of before) {
          files.push({ file, path: await writeAgain(tx, parts, order, terms, file) });
        }
        return { outcome: 'again', files };
      }
      const fresh = { fileId, no: before.length + 1, part };
      const file = await writeFresh(tx, parts, order, terms, fresh);
      if (!file) return nothing;
      return {
        outcome: 'exported',
        files: [{ file, path: path.join(directory, nameOn(parts, file)) }],
      };
    });
    const [first] = outcome.files;
    if (outcome.outcome === 'exported' && first) await rename(part, first.path);
    return outcome;
  } finally {
    await rm(part, { force: true });
  }
}
