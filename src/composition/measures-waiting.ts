import type { Registry } from 'prom-client';
import { oldestOpenAttempt } from '../money/charges/index.ts';
import { oldestTransfer } from '../money/payouts/index.ts';
import { oldestWaiting } from '../money/proposals/index.ts';
import { oldestSuspense } from '../money/suspense/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { lateFiles } from '../rails/index.ts';
import { type MeasureParts, shared } from './measures-reader.ts';

type Oldest = (sql: Queryable) => Promise<Temporal.Instant | null>;

/** Work that waits for a person, a bank or an acquirer, with the age of the oldest item. */
const ages: Record<string, [help: string, oldest: Oldest]> = {
  recaudo_charges_oldest_open_seconds: [
    'Age of the oldest charge of unknown outcome',
    oldestOpenAttempt,
  ],
  recaudo_suspense_oldest_seconds: ['Age of the oldest money in suspense', oldestSuspense],
  recaudo_payouts_oldest_seconds: ['Age of the oldest payout that is in no file', oldestTransfer],
  recaudo_proposals_oldest_seconds: [
    'Age of the oldest proposal that waits for a second person',
    oldestWaiting,
  ],
};

export function measureWaiting(parts: MeasureParts, registry: Registry): void {
  const { sql, clocks } = parts;
  for (const [name, [help, oldest]] of Object.entries(ages)) {
    shared(registry, parts, { name, help }, async (gauge) => {
      const at = await oldest(sql);
      const age = at === null ? 0 : at.until(clocks.business.now()).total('seconds');
      gauge.set(Math.max(0, age));
    });
  }
  const late = {
    name: 'recaudo_files_late',
    help: 'Networks and banks whose next file is overdue',
  };
  shared(registry, parts, late, async (gauge) =>
    gauge.set((await lateFiles(sql, clocks.business.today())).length),
  );
}
