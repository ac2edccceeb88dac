import type { Actor } from '../../platform/actor.ts';
import { type IntakeOutcome, takeIn } from '../files/intake.ts';
import type { Source } from '../files/lines.ts';
import {
  type DebitBooks,
  type DecidedDebit,
  decideDebits,
  earlierLines,
  movingIn,
} from './book.ts';
import { carryOut } from './carry-out.ts';
import type { DebitItem, DebitRailTerms, InboundDebits } from './debit.ts';
import { bookRuns } from './runs.ts';
import { closeDebitFile, type DebitSummary } from './summary.ts';
import { bookLost } from './suspend.ts';

export interface DebitImportOrder {
  rail: InboundDebits;
  file: Source;
  /** Accepts a file even if another one of its day was imported. */
  sameDay: boolean;
  actor: Actor;
}

export type DebitImportOutcome = IntakeOutcome<DebitSummary>;

/**
 * Imports the answers of a bank or card processor: settles debits, reverses payments and updates
 * mandates, each line once. Stores unmatched lines for the operator and puts their money into
 * suspense. A repeat books lines that release 1.0 lost.
 */
export async function importDebits(
  books: DebitBooks,
  { rail, ...from }: DebitImportOrder,
  terms: DebitRailTerms,
): Promise<DebitImportOutcome> {
  const { base } = books;
  let before: Promise<void> = Promise.resolve();
  let moving = new Set<number>();
  const order = { rail: rail.name, createReader: () => rail.createReader(terms), ...from };
  const taken = await takeIn<DebitItem, DecidedDebit, DebitSummary>(base, order, {
    // Two files may report the same run. The lock refuses concurrent imports, so that the second
    // sees the first one's outcome.
    lock: 'debit files in',
    async survey(items) {
      moving = await movingIn(books, rail, items);
    },
    decide: (file, items, underWay) =>
      decideDebits(books, rail, { file, items, earlier: earlierLines(underWay), moving }),
    apply(lines) {
      const booked = bookRuns(books, rail, lines, moving);
      // A line may reverse a payment of an earlier line, so wait until that is booked.
      const done = Promise.all([before, booked]).then(() => carryOut(books, rail, lines));
      before = done;
      return done;
    },
    close: (id, noting) => closeDebitFile(base.sql, noting, id),
  });
  if (taken.outcome === 'known') {
    await bookLost(books, rail, { ...order, source: order.file, file: taken.file });
  }
  return taken;
}
