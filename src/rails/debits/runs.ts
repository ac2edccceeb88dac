import type { RunOutcome } from '../../debit-requests/index.ts';
import { channels } from '../../money/channels/index.ts';
import type { RailLine } from '../files/store.ts';
import { type DebitBooks, type DebitChunk, type DecidedDebit, those } from './book.ts';
import { type InboundDebits, runOfReference } from './debit.ts';
import { outcomeOf } from './match.ts';
import { replaceLines } from './replace.ts';
import { suspendLines } from './suspend.ts';

const settled: readonly RailLine['outcome'][] = ['paid', 'rejected', 'retried', 'in_process'];

function runOutcomeOf(
  rail: InboundDebits,
  line: DecidedDebit,
  moving: DebitChunk['moving'],
): RunOutcome | null {
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
    moves: line.runMandate !== null && moving.has(line.runMandate),
  };
}

/**
 * Replaces accounts and cards, settles runs and puts unmatched money into suspense. Removes mandates
 * that cannot move from `moving`.
 */
export async function bookRuns(
  books: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
  moving: Set<number>,
): Promise<void> {
  const { settle } = books;
  await replaceLines(books, rail, lines, moving);
  const outcomes = lines
    .filter(({ outcome }) => settled.includes(outcome))
    .map((line) => runOutcomeOf(rail, line, moving))
    .filter((outcome) => outcome !== null);
  if (outcomes.length > 0) await settle(outcomes);
  await suspendLines(books, rail, those(lines, 'suspense'));
}
