import { type Calendar, loadCalendar } from '../calendar/index.ts';
import { batchedRecord, prepareFacts, recordFacts } from '../money/collections/index.ts';
import { reverse } from '../money/reversals/index.ts';
import { suspend } from '../money/suspense/index.ts';
import type { Base } from '../platform/base.ts';
import { cached } from '../platform/cached.ts';
import { seenWithinMs } from './base.ts';

/** Builds the money part: collections, refunds and money in suspense. */
export function createMoneyWing(base: Base) {
  const { sql, clocks } = base;
  const calendar = cached<Calendar>(clocks.wall, seenWithinMs, () => loadCalendar(sql));
  const facts = recordFacts(base, calendar);
  return {
    calendar,
    /** Computes the effects of facts. Writes nothing. */
    prepareFacts: prepareFacts(base, calendar),
    /** Records many facts in one statement. */
    recordFacts: facts,
    /** Records one fact. Concurrent facts share a statement. */
    record: batchedRecord(base, facts),
    reverse: reverse(base),
    suspend: suspend(base),
  };
}

export type MoneyWing = ReturnType<typeof createMoneyWing>;
