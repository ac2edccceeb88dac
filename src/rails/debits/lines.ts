import { releaseRuns } from '../../debit-requests/index.ts';
import { type Centavos, plus, sumOf, zero } from '../../kernel/money.ts';
import type { Envelope } from '../../platform/envelope.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import type { Vault } from '../../platform/vault.ts';
import type { LeftOut, Room } from '../files/format.ts';
import { writeLines } from '../files/output.ts';
import type {
  BankSubmission,
  CardSubmission,
  DebitRailTerms,
  DebitWriter,
  OutboundDebits,
  Presentation,
  Submission,
} from './debit.ts';
import { bankSubmissions, cardSubmissions } from './submissions.ts';

interface Lines<S extends Submission> {
  takes(submission: S, terms: DebitRailTerms): boolean;
  createWriter(presentation: Presentation): DebitWriter<S>;
  room: Room;
  groups(sql: Queryable, key: { fileId: number; date: Temporal.PlainDate }): AsyncIterable<S[]>;
}

export interface Plan {
  fileId: number;
  presentation: Presentation;
}

export interface Written {
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

/** The content of a file, chosen before writing because its header may hold the sums. */
export interface Chosen {
  count: number;
  total: Centavos;
  leftOut: LeftOut[];
  /** True if the file is full and the rest goes into the next one. */
  more: boolean;
}

/** Returns why a debit does not fit into a file, or null if it does. */
export function unfit<S extends Submission>(writer: DebitWriter<S>, one: S): string | null {
  try {
    writer.line(one);
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

/** Chooses among the runs claimed for a file and releases the others. */
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
    // A single debit above the file's capacity fits no file, so its line is reported.
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

export interface LineParts {
  vault: Vault;
  /** Encrypts the file. Null writes plain text. */
  envelope: Envelope | null;
}

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

/** Returns how to choose and write the lines of a rail for bank accounts or for cards. */
export const workOn = (
  { vault, envelope }: LineParts,
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
