import { channelOf, foundSource, sourceRefOf } from '../../debit-requests/index.ts';
import { channels } from '../../money/channels/index.ts';
import { findAllUnmatched } from '../../money/suspense/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { findLostLines } from '../files/audit.ts';
import { checkFile, itemsOf } from '../files/content.ts';
import { firstOfMoney } from '../files/decided.ts';
import type { LineReader } from '../files/format.ts';
import type { Source } from '../files/lines.ts';
import type { RailFile } from '../files/store.ts';
import { type DebitBooks, type DecidedDebit, decideDebits } from './book.ts';
import { type DebitItem, type InboundDebits, runOfReference } from './debit.ts';

/**
 * Returns the idempotency source of unmatched money. A line of a known run uses the run, so that
 * the run is paid once whatever file or line reports it. Any other line is its own source, because
 * a foreign reference may look like ours and be the same for many payments.
 */
function moneyOf({ name }: InboundDebits, { file_id, line, item, request_id }: DecidedDebit) {
  const run = request_id === null ? null : runOfReference(item.reference);
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
 * Returns the lines whose money an import by release 1.0 booked before it was interrupted. It named
 * money of unknown runs by their reference, so each such sum is of the first line with it.
 */
async function bookedBefore(
  sql: Queryable,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<ReadonlySet<DecidedDebit>> {
  const byRef = new Map<string, DecidedDebit[]>();
  for (const line of lines) {
    const { isStored, request_id, item } = line;
    const run = isStored && request_id === null ? runOfReference(item.reference) : null;
    if (!run) continue;
    const ref = sourceRefOf(run.requestId, run.no);
    byRef.set(ref, [...(byRef.get(ref) ?? []), line]);
  }
  const rows = byRef.size > 0 ? await findAllUnmatched(sql, foundSource, [...byRef.keys()]) : [];
  const booked = new Set<DecidedDebit>();
  for (const row of rows) {
    const [one] = byRef.get(row.source_ref) ?? [];
    if (!one) continue;
    const first = await firstOfMoney(sql, { ...row, file_id: one.file_id });
    const line = byRef.get(row.source_ref)?.find(({ line: no }) => no === first);
    if (line && unmatchedOf(rail, line).amount === row.amount) booked.add(line);
  }
  return booked;
}

/** Puts unmatched money into suspense, except what release 1.0 put there for these lines. */
export async function suspendLines(
  { base: { sql }, suspend }: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<void> {
  const before = await bookedBefore(sql, rail, lines);
  const fresh = lines.filter((line) => !before.has(line));
  if (fresh.length > 0) await suspend(fresh.map((line) => unmatchedOf(rail, line)));
}

interface Again {
  file: Pick<RailFile, 'id' | 'file_date'>;
  source: Source;
  createReader(): LineReader<DebitItem>;
}

/** Books the lines of an imported file that release 1.0 lost. Idempotent. */
export async function bookLost(
  books: DebitBooks,
  rail: InboundDebits,
  { file, source, createReader }: Again,
): Promise<void> {
  const lost = new Set(await findLostLines(books.base.sql, file.id));
  if (lost.size === 0) return;
  const checked = await checkFile(createReader(), source);
  for await (const items of itemsOf(createReader(), source, checked)) {
    const some = items.filter(({ line }) => lost.has(line));
    if (some.length === 0) continue;
    const chunk = { file, items: some, earlier: new Map(), moving: new Set<number>() };
    const lines = await decideDebits(books, rail, chunk);
    await books.suspend(lines.map((line) => unmatchedOf(rail, line)));
  }
}
