import {
  accountCodes,
  findNamedRuns,
  mandateKindOf,
  rejectCodeOf,
} from '../../debit-requests/index.ts';
import { readRejected } from '../files/decided.ts';
import { changeLine } from '../files/store.ts';
import { type DebitBooks, type DecidedDebit, hasRemark } from './book.ts';
import { type InboundDebits, runOfReference } from './debit.ts';

interface Failed {
  fileId: number;
  /** Mandates that stay on their account or card. */
  mandates: ReadonlySet<number>;
}

/**
 * Ends mandates that stay on a closed account. Lines of the file rejected their debits, and ended no
 * mandate because the file was to move it.
 */
async function endClosed(
  { base: { sql }, endMandate }: DebitBooks,
  { kind, name }: InboundDebits,
  lines: DecidedDebit[],
  { fileId, mandates }: Failed,
): Promise<void> {
  const rejected = (await readRejected(sql, fileId, accountCodes)).flatMap((line) => {
    const run = runOfReference(line.code);
    return run ? [{ line, ...run }] : [];
  });
  const runs = rejected.length > 0 ? await findNamedRuns(sql, kind, rejected) : [];
  for (const { place, account_id: accountId, mandate_id: id, put_to: instrumentNo } of runs) {
    const stored = rejected[place - 1]?.line;
    if (!stored || instrumentNo === null || !mandates.has(id)) continue;
    const { reject_code: code, note } = stored;
    const { ended } = await endMandate({
      key: { accountId, kind: mandateKindOf[kind], id },
      move: 'cancel',
      comment: `${code}: ${rejectCodeOf(code ?? '', note ?? '').text}`,
      actor: { kind: 'rail', name },
      evidence: null,
      instrumentNo,
    });
    if (!ended) continue;
    // The same object, so that a later change of a line of this chunk keeps the remark.
    const line = lines.find((one) => one.line === stored.line) ?? stored;
    line.remarks = [...line.remarks, 'closes_mandate'];
    await changeLine(sql, line);
  }
}

/**
 * Replaces accounts and cards. If a mandate ended or its card lost its file since the decision,
 * marks the line as unusable and removes the mandate from `moving`.
 */
export async function replaceLines(
  books: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
  moving: Set<number>,
): Promise<void> {
  const unusable: DecidedDebit[] = [];
  const staying = new Set<number>();
  for (const line of lines.filter(({ remarks }) => hasRemark(remarks, 'new_instrument'))) {
    const { mandate, item } = line;
    if (!mandate || !item.replacement) throw new Error('a new instrument of no mandate');
    const done = await books.replaceInstrument({
      key: mandate.key,
      instrument: item.replacement,
      actor: { kind: 'rail', name: rail.name },
    });
    if (done === 'replaced' || done === 'same') continue;
    moving.delete(mandate.key.id);
    if (done === 'unusable') staying.add(mandate.key.id);
    unusable.push(line);
  }
  const [first] = unusable;
  if (!first) return;
  // Before the lines change, so that a repeat after a crash comes here again.
  await endClosed(books, rail, lines, { fileId: first.file_id, mandates: staying });
  for (const line of unusable) {
    if (line.outcome === 'instrument_changed') line.outcome = 'unmatched';
    line.remarks = line.remarks.map((one) =>
      one === 'new_instrument' ? 'unusable_instrument' : one,
    );
    await changeLine(books.base.sql, line);
  }
}
