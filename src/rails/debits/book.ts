import type { SettleRuns } from '../../debit-requests/index.ts';
import { midnightOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { EndMandate, ReplaceInstrument } from '../../mandates/index.ts';
import type { Reverse } from '../../money/reversals/index.ts';
import type { ReverseSuspense, Suspend } from '../../money/suspense/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Placed } from '../files/content.ts';
import { keepLines, type RailFile, type RailLine } from '../files/store.ts';
import type { DebitItem, DebitOutcome, DebitRemark, InboundDebits } from './debit.ts';
import { decideDebit, type EarlierLine, type Means, movedBy } from './match.ts';
import { findSubjects, type KnownMandate, mandateOf } from './subjects.ts';

export interface DebitBooks extends Means {
  base: Base;
  settle: SettleRuns;
  suspend: Suspend;
  reverse: Reverse;
  reverseSuspense: ReverseSuspense;
  endMandate: EndMandate;
  replaceInstrument: ReplaceInstrument;
}

export interface DecidedDebit extends RailLine {
  item: DebitItem;
  mandate: KnownMandate | null;
  /** Amount of the run that the line names. */
  ordered: Centavos | null;
  /** Id of the mandate of the run that the line names. */
  runMandate: number | null;
  /** True if an interrupted import decided the line. */
  isStored: boolean;
}

/** Returns the start of the day that the line gives, or else of the file's day. */
const outcomeDay = ({ news }: DebitItem, file: Pick<RailFile, 'file_date'>): Temporal.Instant =>
  midnightOf('on' in news ? news.on : file.file_date);

const noteOf = ({ news }: DebitItem): string | null => {
  if (news.type === 'rejected') return news.text;
  return 'comment' in news ? news.comment : null;
};

export interface DebitChunk {
  file: Pick<RailFile, 'id' | 'file_date'>;
  items: Placed<DebitItem>[];
  /** Earlier lines by reference. `readDebits` and `decideDebits` add theirs. */
  earlier: Map<string, EarlierLine[]>;
  /** Ids of mandates that lines of the file move, from `movingIn`. */
  moving: ReadonlySet<number>;
}

function tell(
  earlier: DebitChunk['earlier'],
  { reference, news, amount }: DebitItem,
  outcome: RailLine['outcome'],
): void {
  if (reference === '') return;
  const line = {
    outcome: outcome as DebitOutcome,
    amount: news.type === 'paid' ? news.amount : amount,
  };
  const before = earlier.get(reference);
  if (before) before.push(line);
  else earlier.set(reference, [line]);
}

export function earlierLines(
  lines: Pick<DecidedDebit, 'item' | 'outcome'>[],
): DebitChunk['earlier'] {
  const earlier: DebitChunk['earlier'] = new Map();
  for (const { item, outcome } of lines) tell(earlier, item, outcome);
  return earlier;
}

type ReadingBooks = Pick<DebitBooks, 'base' | 'vault' | 'carriers'>;

/**
 * Returns the ids of mandates that any line of a file moves to another account or card. Read them
 * first: a "closed account" rejection must not cancel a mandate that a later line moves.
 */
export async function movingIn(
  { base: { sql }, ...means }: ReadingBooks,
  { kind }: InboundDebits,
  file: AsyncIterable<DebitItem[]>,
): Promise<Set<number>> {
  const moving = new Set<number>();
  for await (const items of file) {
    const moves = items.filter(({ replacement }) => replacement !== null);
    if (moves.length === 0) continue;
    for (const id of movedBy(moves, await findSubjects(sql, kind, moves), means)) moving.add(id);
  }
  return moving;
}

/** Classifies lines without writing anything. */
export async function readDebits(
  { base: { sql }, ...means }: ReadingBooks,
  { kind }: InboundDebits,
  { file, items, earlier, moving }: DebitChunk,
): Promise<DecidedDebit[]> {
  const subjects = await findSubjects(sql, kind, items);
  return items.map((item): DecidedDebit => {
    const { outcome, remarks } = decideDebit(item, subjects, { earlier, moving, means });
    tell(earlier, item, outcome);
    const mandate = mandateOf(item, subjects);
    const run = subjects.runs.get(item.reference);
    return {
      file_id: file.id,
      line: item.line,
      outcome,
      remarks,
      account_id: run?.account_id ?? mandate?.key.accountId ?? null,
      request_id: run?.request.id ?? null,
      code: item.reference === '' ? item.mandate : item.reference,
      amount: item.amount,
      paid_at: outcomeDay(item, file),
      reject_code: item.news.type === 'rejected' ? item.news.code : null,
      note: noteOf(item),
      item,
      mandate,
      ordered: run?.run.amount ?? null,
      runMandate: run?.mandate.key.id ?? null,
      isStored: false,
    };
  });
}

/** Decides lines and stores the decisions. Decisions stored before an interruption prevail. */
export async function decideDebits(
  books: DebitBooks,
  rail: InboundDebits,
  chunk: DebitChunk,
): Promise<DecidedDebit[]> {
  const lines = await readDebits(books, rail, chunk);
  const { sql } = books.base;
  const before = new Map((await keepLines(sql, lines)).map((line) => [line.line, line]));
  return lines.map((line) => ({
    ...line,
    ...before.get(line.line),
    isStored: before.has(line.line),
  }));
}

export const hasRemark = (remarks: RailLine['remarks'], remark: DebitRemark): boolean =>
  (remarks as readonly DebitRemark[]).includes(remark);

export const those = (lines: DecidedDebit[], outcome: DebitOutcome): DecidedDebit[] =>
  lines.filter((line) => line.outcome === outcome);
