// Longer than 300 lines: choosing, writing and closing a file of debits are the steps of one transaction.

import { rename } from 'node:fs/promises';
import path from 'node:path';
import { claimRuns, releaseRuns } from '../../debit-requests/index.ts';
import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, plus, sumOf, zero } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import type { Envelope } from '../../platform/envelope.ts';
import { conflict, Refusal } from '../../platform/errors.ts';
import { type Queryable, withAdvisoryLock } from '../../platform/postgres/connect.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import type { Vault } from '../../platform/vault.ts';
import type { LeftOut, Room } from '../files/format.ts';
import { writeLines } from '../files/output.ts';
import { findFilesOfDay, keepFile, type RailFile } from '../files/store.ts';
import type {
  BankSubmission,
  CardSubmission,
  DebitRailTerms,
  DebitWriter,
  OutboundDebits,
  Presentation,
  Submission,
} from './debit.ts';
import { lockName, partIn, removeParts } from './parts.ts';
import { bankSubmissions, cardSubmissions } from './submissions.ts';

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
  /** Debits that the file has no room for: they wait, and `rails waiting` lists them. */
  leftOut: LeftOut[];
}

/** A file's lines, whatever they are made of. */
interface Lines<S extends Submission> {
  takes(submission: S, terms: DebitRailTerms): boolean;
  createWriter(presentation: Presentation): DebitWriter<S>;
  room: Room;
  groups(sql: Queryable, key: { fileId: number; date: Temporal.PlainDate }): AsyncIterable<S[]>;
}

interface Plan {
  fileId: number;
  presentation: Presentation;
}

interface Written {
  name: string;
  sha256: Buffer;
  lines: number;
  total: Centavos;
}

interface WriteWork {
  plan: Plan;
  target: string;
  envelope: Envelope | null;
}

/** What goes into a file, before it is written: its header may tell the sums. */
interface Chosen {
  count: number;
  total: Centavos;
  leftOut: LeftOut[];
  /** Whether the file is full and others go into the next one. */
  more: boolean;
}

/** What keeps a debit out of a file; null: it fits. */
export function unfit<S extends Submission>(writer: DebitWriter<S>, one: S): string | null {
  try {
    writer.line(one);
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

/** Chooses among the runs that were claimed for a file, and lets the others go. */
async function chooseRuns<S extends Submission>(
  sql: Queryable,
  { takes, createWriter, room, groups }: Lines<S>,
  terms: DebitRailTerms,
  { fileId, presentation }: Plan,
): Promise<Chosen> {
  const trial = createWriter(presentation);
  const chosen: Chosen = { count: 0, total: zero, leftOut: [], more: false };
  const others: Submission['run'][] = [];
  const isTaken = (one: S): boolean => {
    const { run } = one;
    if (!takes(one, terms)) return false;
    const isFull = chosen.count >= room.count || chosen.total + run.amount > room.total;
    // What alone is more than a file holds does not fit any: its line tells.
    if (isFull && chosen.count > 0) {
      chosen.more = true;
      return false;
    }
    const reason = unfit(trial, one);
    if (reason === null) return true;
    chosen.leftOut.push({ accountId: run.account_id, requestId: run.request_id, reason });
    return false;
  };
  for await (const group of groups(sql, { fileId, date: presentation.date })) {
    for (const one of group) {
      if (isTaken(one)) {
        chosen.count += 1;
        chosen.total = plus(chosen.total, one.run.amount);
      } else others.push(one.run);
    }
  }
  if (others.length > 0) await releaseRuns(sql, fileId, others);
  return chosen;
}

/** Writes the runs of a file. */
async function writeRuns<S extends Submission>(
  sql: Queryable,
  { createWriter, groups }: Lines<S>,
  { plan: { fileId, presentation }, target, envelope }: WriteWork,
): Promise<Written> {
  const writer = createWriter(presentation);
  let lines = 0;
  let total = zero;
  const sha256 = await writeLines(
    target,
    async (put) => {
      const head = writer.head();
      if (head !== null) await put([head]);
      workExpected(presentation.count);
      for await (const group of groups(sql, { fileId, date: presentation.date })) {
        lines += group.length;
        total = sumOf([total, ...group.map(({ run }) => run.amount)]);
        await put(group.map((one) => writer.line(one)));
        workDone(group.length);
      }
      const tail = writer.tail();
      if (tail !== null) await put([tail]);
    },
    { envelope },
  );
  return { name: writer.name, sha256, lines, total };
}

/** The two things that are done with a rail's lines, whatever they are made of. */
interface FileWork {
  choose(sql: Queryable, plan: Plan): Promise<Chosen>;
  write(sql: Queryable, work: Omit<WriteWork, 'envelope'>): Promise<Written>;
}

function workOf<S extends Submission>(
  lines: Lines<S>,
  terms: DebitRailTerms,
  envelope: Envelope | null,
): FileWork {
  return {
    choose: (sql, plan) => chooseRuns(sql, lines, terms, plan),
    write: (sql, work) => writeRuns(sql, lines, { ...work, envelope }),
  };
}

const workOn = (
  { vault, envelope }: DebitExportParts,
  rail: OutboundDebits,
  terms: DebitRailTerms,
): FileWork =>
  rail.kind === 'debit_request'
    ? workOf<BankSubmission>(
        { ...rail, createWriter: (of) => rail.createWriter(terms, of), groups: bankSubmissions },
        terms,
        envelope,
      )
    : workOf<CardSubmission>(
        {
          ...rail,
          createWriter: (of) => rail.createWriter(terms, of),
          groups: (tx, key) => cardSubmissions(tx, vault, key),
        },
        terms,
        envelope,
      );

/** What a file is called on the disk. */
const nameOn = ({ envelope }: Pick<DebitExportParts, 'envelope'>, { name }: RailFile): string =>
  envelope ? `${name}.cms` : name;

/** `name.txt`, then `name-2.txt` for another file of the day. */
function numbered(name: string, no: number): string {
  const { name: stem, ext } = path.parse(name);
  return no === 1 ? name : `${stem}-${no}${ext}`;
}

const timeOf = (instant: Temporal.Instant): Temporal.PlainTime =>
  instant.toZonedDateTimeISO('-03:00').toPlainTime();

/** A file on its way to its name. */
interface Pending {
  file: RailFile;
  part: string;
  path: string;
}

/** Writes a file again as it went out; refuses where it would be another one by now. */
async function writeAgain(
  sql: Queryable,
  parts: DebitExportParts,
  { rail, directory }: DebitExportOrder,
  terms: DebitRailTerms,
  file: RailFile,
): Promise<Pending> {
  const { file_date: date, lines: count, total, created_at } = file;
  const presentation = { date, time: timeOf(created_at), count, total };
  const plan = { fileId: file.id, presentation };
  const part = partIn(directory, rail.name, file.id);
  const changed = (reason: string) =>
    conflict(
      `File ${file.id} would not be the same by now: what ${rail.name} is configured with was ` +
        `changed since. ${reason}Nothing was written.`,
    );
  try {
    const written = await workOn(parts, rail, terms).write(sql, { plan, target: part });
    if (!written.sha256.equals(file.sha256)) throw changed('');
  } catch (error) {
    if (error instanceof RangeError) throw changed(`${error.message} `);
    throw error;
  }
  return { file, part, path: path.join(directory, nameOn(parts, file)) };
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
  const file = await keepFile(sql, {
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
  return { file, chosen };
}

/** What one transaction came to: files that still have to be given their names. */
type Drafted = Pick<DebitExportOutcome, 'outcome' | 'leftOut'> & { pending: Pending[] };

/** Writes as many files as it takes. */
async function writeAllFresh(
  sql: Queryable,
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
  before: number,
): Promise<Drafted> {
  if (!order.date.equals(terms.today)) throw lateRefusal(terms.today);
  const { rail, directory } = order;
  const pending: Pending[] = [];
  for (;;) {
    const fileId = await parts.base.recordIds.next();
    const part = partIn(directory, rail.name, fileId);
    const fresh = { fileId, no: before + pending.length + 1, part };
    const { file, chosen } = await writeFresh(sql, parts, order, terms, fresh);
    if (file) pending.push({ file, part, path: path.join(directory, nameOn(parts, file)) });
    if (file && chosen.more) continue;
    // What is left out is looked at again for each file, so the last one tells them all.
    const outcome = pending.length > 0 ? 'exported' : 'nothing';
    return { outcome, pending, leftOut: chosen.leftOut };
  }
}

/** Writes what the order asks for, in one transaction, under names that do not count yet. */
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
 * Puts the debits that wait to the bank or card processor: each goes out in one file, once. Runs
 * are marked in the transaction that keeps the file, and a file that went out is written again with
 * the same bytes, so nothing is lost or sent twice if the machine dies in between. A debit that the
 * file cannot say is left out and told; what is more than a file holds goes into further ones. What
 * an export that broke off left in the directory is destroyed by the next one.
 */
export async function exportDebits(
  parts: DebitExportParts,
  order: DebitExportOrder,
  terms: DebitRailTerms,
): Promise<DebitExportOutcome> {
  const { sql } = parts.base;
  const lock = { mode: 'exclusive', wait: true } as const;
  // Held until the files have their names, which is after they were kept.
  return await withAdvisoryLock(sql, lockName, lock, async () => {
    await removeParts(order.directory);
    try {
      const { pending, ...rest } = await sql.begin((tx) => draft(tx, parts, order, terms));
      for (const { part, path: target } of pending) await rename(part, target);
      return { ...rest, files: pending.map(({ file, path: target }) => ({ file, path: target })) };
    } finally {
      await removeParts(order.directory);
    }
  });
}
