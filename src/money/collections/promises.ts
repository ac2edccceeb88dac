import { type CalendarChange, laterOf, liesWithin, type Shift } from '../../calendar/index.ts';
import { compareDays, dayOf, isoMidnight } from '../../kernel/dates.ts';
import { type Centavos, plus, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { eventOf } from '../../requests/index.ts';
import { type FeeVersion, feeBookAt, readFeeHistory } from '../fees/index.ts';
import { availableOn, eventData } from './record.ts';
import {
  movePromises as move,
  type PromisedResult,
  type PromiseShift,
  promisedAccounts,
  readPromised,
} from './store-promises.ts';

/** Collections whose release moves after a change to the calendar. */
export interface MovedPromises extends Shift {
  count: number;
  /** The part that is still unavailable. */
  amount: Centavos;
}

export type MovePromises = (
  change: CalendarChange,
  options: { apply: boolean; actor: Actor },
) => Promise<MovedPromises[]>;

/**
 * Returns a collection's new day by the terms known when it was recorded, or null if the day stays
 * the same or another change is the cause.
 */
function shiftOf(
  row: PromisedResult,
  { calendar, day, today }: CalendarChange,
  fees: readonly FeeVersion[],
): PromiseShift | null {
  const paidOn = dayOf(row.paid_at);
  const soonest = laterOf(row.informed_on, today);
  const terms = feeBookAt(fees, row.informed_at)(row.channel, paidOn);
  const to = availableOn(calendar, { paidOn, today: soonest }, terms);
  if (to.equals(row.available_on) || !liesWithin(day, [paidOn, row.available_on, to])) return null;
  return {
    row,
    to,
    what: eventOf(row.kind, 'postpone'),
    data: {
      ...eventData({ ...row, reverses_id: null }),
      promised_at: isoMidnight(row.available_on),
      available_at: isoMidnight(to),
    },
  };
}

function tally(all: Map<string, MovedPromises>, { row, to }: PromiseShift): void {
  const key = `${row.available_on} ${to}`;
  const group = all.get(key) ?? { from: row.available_on, to, count: 0, amount: zero };
  group.count += 1;
  group.amount = plus(group.amount, row.unreleased);
  all.set(key, group);
}

/**
 * Moves the release of collections to their day in the changed calendar. An event for each
 * collection names both days, and the first promise is preserved. Goes account by account, in
 * batches. Without `apply`, only returns the moves. Idempotent.
 */
export const movePromises =
  (base: Base): MovePromises =>
  async (change, { apply, actor }) => {
    const groups = new Map<string, MovedPromises>();
    for (const accountId of await promisedAccounts(base.sql, change)) {
      const fees = await readFeeHistory(base.sql, accountId);
      for await (const rows of readPromised(base.sql, accountId, change)) {
        const shifts = rows.flatMap((row) => shiftOf(row, change, fees) ?? []);
        const done = apply ? await move(base, { accountId, actor }, shifts) : shifts;
        for (const shift of done) tally(groups, shift);
      }
    }
    return [...groups.values()].sort((a, b) => compareDays(a.from, b.from));
  };
