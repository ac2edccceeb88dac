import { type Calendar, loadCalendar } from '../calendar/index.ts';
import { batchedRecord, prepareFacts, recordFacts } from '../money/collections/index.ts';
import { reverse } from '../money/reversals/index.ts';
import { suspend } from '../money/suspense/index.ts';
import type { Base } from '../platform/base.ts';
import { cached } from '../platform/cached.ts';
import { seenWithinMs } from './base.ts';

/** The wing of money: what writes down that money came, went back, or belongs to nobody yet. */
export function createMoneyWing(base: Base) {
  const { sql, clocks } = base;
  const calendar = cached<Calendar>(clocks.wall, seenWithinMs, () => loadCalendar(sql));
  const facts = recordFacts(base, calendar);
  return {
    calendar,
    /** Works out what facts mean; writes nothing. */
    prepareFacts: prepareFacts(base, calendar),
    /** Records many facts in one statement. */
    recordFacts: facts,
    /** Records one; those that come at the same time share a statement. */
    record: batchedRecord(base, facts),
    reverse: reverse(base),
    suspend: suspend(base),
  };
}

export type MoneyWing = ReturnType<typeof createMoneyWing>;
