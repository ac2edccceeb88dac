import {
  channelOf,
  foundSource,
  type RunOutcome,
  readRunPayments,
  type SettleRuns,
  sourceRefOf,
} from '../../debit-requests/index.ts';
import { dayOf, midnightOf } from '../../kernel/dates.ts';
import type { EndMandate, ReplaceInstrument } from '../../mandates/index.ts';
import { channels } from '../../money/channels/index.ts';
import type { Reverse } from '../../money/reversals/index.ts';
import type { Suspend } from '../../money/suspense/index.ts';
import type { Base } from '../../platform/base.ts';
import { isConnectionFailure, Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Placed } from '../files/content.ts';
import { changeLine, keepLines, type RailFile, type RailLine } from '../files/store.ts';
import {
  type DebitItem,
  type DebitOutcome,
  type DebitRemark,
  type InboundDebits,
  runOfReference,
} from './debit.ts';
import { decideDebit, movedBy, outcomeOf } from './match.ts';
import { findSubjects, type KnownMandate, mandateOf } from './subjects.ts';

export interface DebitBooks {
  base: Base;
  vault: Vault;
  settle: SettleRuns;
  suspend: Suspend;
  reverse: Reverse;
  endMandate: EndMandate;
  replaceInstrument: ReplaceInstrument;
}

export interface DecidedDebit extends RailLine {
  item: DebitItem;
  mandate: KnownMandate | null;
}

/** Returns the line's day, or else the file's. */
const outcomeDay = ({ news }: DebitItem, file: Pick<RailFile, 'file_date'>): Temporal.Instant =>
  midnightOf('on' in news ? news.on : file.file_date);

const noteOf = ({ news }: DebitItem): string | null => {
  if (news.type === 'rejected') return news.text;
  return 'comment' in news ? news.comment : null;
};

export interface DebitChunk {
  file: Pick<RailFile, 'id' | 'file_date'>;
  items: Placed<DebitItem>[];
  /** Outcomes of earlier lines by reference. `readDebits` and `decideDebits` add theirs. */
  earlier: Map<string, DebitOutcome[]>;
}

function tell(
  earlier: DebitChunk['earlier'],
  reference: string,
  outcome: RailLine['outcome'],
): void {
  const before = earlier.get(reference);
  if (before) before.push(outcome as DebitOutcome);
  else earlier.set(reference, [outcome as DebitOutcome]);
}

export function earlierOutcomes(
  lines: Pick<RailLine, 'code' | 'outcome'>[],
): DebitChunk['earlier'] {
  const earlier: DebitChunk['earlier'] = new Map();
  for (const { code, outcome } of lines) tell(earlier, code, outcome);
  return earlier;
}

/** Classifies lines without writing anything. */
export async function readDebits(
  { base: { sql }, vault }: Pick<DebitBooks, 'base' | 'vault'>,
  { kind }: InboundDebits,
  { file, items, earlier }: DebitChunk,
): Promise<DecidedDebit[]> {
  const subjects = await findSubjects(sql, kind, items);
  const moving = movedBy(items, subjects, vault);
  return items.map((item): DecidedDebit => {
    const { outcome, remarks } = decideDebit(item, subjects, { earlier, moving, vault });
    if (item.reference !== '') tell(earlier, item.reference, outcome);
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
    };
  });
}

/** Decides lines and stores the decisions. Decisions from before an interruption stay. */
export async function decideDebits(
  books: DebitBooks,
  rail: InboundDebits,
  chunk: DebitChunk,
): Promise<DecidedDebit[]> {
  const lines = await readDebits(books, rail, chunk);
  const { sql } = books.base;
  const before = new Map((await keepLines(sql, lines)).map((line) => [line.line, line]));
  return lines.map((line) => ({ ...line, ...before.get(line.line) }));
}

const settled: readonly RailLine['outcome'][] = ['paid', 'rejected', 'retried', 'in_process'];

function runOutcomeOf(rail: InboundDebits, line: DecidedDebit): RunOutcome | null {
  const { news, reference } = line.item;
  const run = runOfReference(reference);
  if ((news.type !== 'paid' && news.type !== 'rejected') || !run || !line.account_id) return null;
  return {
    accountId: line.account_id,
    requestId: run.requestId,
    runNo: run.no,
    outcome: outcomeOf(news),
    actor: { kind: 'rail', name: rail.name },
    label: line.mandate?.brand ?? channels.direct_debit.label,
  };
}

/**
 * Returns the idempotency source of unmatched money. A line with a run uses the run, so that the
 * run is paid once whatever file or line reports it. Any other line is its own source.
 */
function moneyOf({ name }: InboundDebits, { file_id, line, item }: DecidedDebit) {
  const run = runOfReference(item.reference);
  return run
    ? { source: foundSource, sourceRef: sourceRefOf(run.requestId, run.no) }
    : { source: `rail ${name}`, sourceRef: `${file_id}:${line}` };
}

const unmatchedOf = (rail: InboundDebits, line: DecidedDebit) => ({
  reason: 'unknown_request' as const,
  channel: channelOf[rail.kind],
  label: channels[channelOf[rail.kind]].label,
  code: line.item.reference,
  amount: line.item.news.type === 'paid' ? line.item.news.amount : line.item.amount,
  paidAt: line.paid_at,
  ...moneyOf(rail, line),
});

/**
 * Returns the payment of the run that the line names, even if the debit has another payment. Null
 * if the run has none.
 */
async function paymentOf(
  sql: Queryable,
  accountId: string,
  item: DebitItem,
): Promise<number | null> {
  const run = runOfReference(item.reference);
  if (!run) throw new Error('a reversal of no run');
  const key = { accountId, requestId: run.requestId, runNo: run.no };
  const [payment] = await readRunPayments(sql, [key]);
  return payment?.id ?? null;
}

/**
 * Reverses a payment at the holder's request. If it cannot be reversed, marks the line as
 * unmatched, for the operator.
 */
async function reverseLine(
  { base: { sql }, reverse }: DebitBooks,
  rail: InboundDebits,
  line: DecidedDebit,
): Promise<void> {
  const { account_id, request_id, item } = line;
  if (!account_id || request_id === null) throw new Error('a reversal of no debit');
  try {
    await reverse({
      key: { accountId: account_id, id: request_id },
      type: 'chargeback',
      resultId: await paymentOf(sql, account_id, item),
      amount: null,
      actor: { kind: 'rail', name: rail.name },
      // The run is the source, so that a repetition in another file causes no second reversal.
      source: 'debit reversal',
      sourceRef: item.reference,
      comment: item.news.type === 'reversed' ? item.news.comment : '',
      requestedOn: dayOf(line.paid_at),
    });
  } catch (error) {
    if (isConnectionFailure(error) || !(error instanceof Refusal)) throw error;
    await changeLine(sql, { ...line, outcome: 'unmatched', remarks: ['not_paid'] });
  }
}

async function endLine(
  { endMandate }: DebitBooks,
  rail: InboundDebits,
  { mandate, item }: DecidedDebit,
): Promise<void> {
  if (!mandate) throw new Error('an end of no mandate');
  await endMandate({
    key: mandate.key,
    move: 'cancel',
    comment: item.news.type === 'mandate_ended' ? item.news.comment : '',
    actor: { kind: 'rail', name: rail.name },
    evidence: null,
  });
}

const isNew = ({ remarks }: RailLine): boolean =>
  (remarks as readonly DebitRemark[]).includes('new_instrument');

const those = (lines: DecidedDebit[], outcome: DebitOutcome): DecidedDebit[] =>
  lines.filter((line) => line.outcome === outcome);

async function replaceLines(
  { replaceInstrument }: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<void> {
  for (const { mandate, item } of lines.filter(isNew)) {
    if (!mandate || !item.replacement) throw new Error('a new instrument of no mandate');
    await replaceInstrument({
      key: mandate.key,
      instrument: item.replacement,
      actor: { kind: 'rail', name: rail.name },
    });
  }
}

/**
 * Settles runs and puts unmatched money into suspense. Applies new accounts and cards first, so
 * that a "closed account" rejection does not cancel a mandate that has already moved.
 */
export async function bookRuns(
  books: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<void> {
  const { settle, suspend } = books;
  await replaceLines(books, rail, lines);
  const outcomes = lines
    .filter(({ outcome }) => settled.includes(outcome))
    .map((line) => runOutcomeOf(rail, line))
    .filter((outcome) => outcome !== null);
  if (outcomes.length > 0) await settle(outcomes);
  const lost = those(lines, 'suspense').map((line) => unmatchedOf(rail, line));
  if (lost.length > 0) await suspend(lost);
}

/** Reverses payments and ends mandates. Call it after `bookRuns`, which records the payments. */
export async function carryOut(
  books: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<void> {
  for (const line of those(lines, 'reversed')) await reverseLine(books, rail, line);
  for (const line of those(lines, 'mandate_closed')) await endLine(books, rail, line);
}
