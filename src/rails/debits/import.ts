import type { Actor } from '../../platform/actor.ts';
import { type IntakeOutcome, takeIn } from '../files/intake.ts';
import type { Source } from '../files/lines.ts';
import {
  bookRuns,
  carryOut,
  type DebitBooks,
  type DecidedDebit,
  decideDebits,
  toldBy,
} from './book.ts';
import type { DebitItem, DebitRailTerms, InboundDebits } from './debit.ts';
import { closeDebitFile, type DebitSummary } from './summary.ts';

export interface DebitImportOrder {
  rail: InboundDebits;
  file: Source;
  /** Takes a file although another one of its day came in. */
  sameDay: boolean;
  actor: Actor;
}

export type DebitImportOutcome = IntakeOutcome<DebitSummary>;

/**
 * Imports a bank's or card processor's answers: settles debits, applies reversals and mandates,
 * each line once. Unmatched lines are stored for the operator; their money is in suspense.
 */
export async function importDebits(
  books: DebitBooks,
  { rail, ...from }: DebitImportOrder,
  terms: DebitRailTerms,
): Promise<DebitImportOutcome> {
  const { base } = books;
  let before: Promise<void> = Promise.resolve();
  const order = { rail: rail.name, createReader: () => rail.createReader(terms), ...from };
  return await takeIn<DebitItem, DecidedDebit, DebitSummary>(base, order, {
    // Two files may report one run: the first one's outcome is stored when the second is read.
    lock: 'debit files in',
    decide: (kept, items, underWay) =>
      decideDebits(books, rail, { file: kept, items, told: toldBy(underWay) }),
    apply(lines) {
      const booked = bookRuns(books, rail, lines);
      // A reversal may be of a payment in the lines before, which are still being booked.
      const done = Promise.all([before, booked]).then(() => carryOut(books, rail, lines));
      before = done;
      return done;
    },
    close: (id, noting) => closeDebitFile(base.sql, noting, id),
  });
}
