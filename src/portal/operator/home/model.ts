import { listPendingLooks } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { countMoneyAlarms } from '../../../money/alarms/index.ts';
import { countEvidenceDue, type EvidenceDue } from '../../../money/disputes/index.ts';
import { listWaiting } from '../../../money/proposals/index.ts';
import { openSuspense } from '../../../money/suspense/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { countFailedMails } from '../../../platform/mail/outbox.ts';
import type { SweepDue, Sweeper } from '../../../platform/sweeps.ts';
import { mostCounted, sweepHealth } from '../health/model.ts';

/** A network or bank whose files are overdue, and the day of its last one. */
interface LateFile {
  readonly rail: string;
  readonly file_date: Temporal.PlainDate;
}

export interface OperatorHomeParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  sweeper: Pick<Sweeper, 'dues'>;
  lateFiles(today: Temporal.PlainDate): Promise<readonly LateFile[]>;
}

/** Work of the whole service that needs an operator. */
export interface ServiceAttention {
  readonly lateFiles: readonly LateFile[];
  readonly suspense: { readonly count: number; readonly total: Centavos };
  readonly sweepsBehind: readonly string[];
  /** At most `mostCounted`. */
  readonly failedMails: number;
  /** Proposals that wait for a second operator, at most `mostWaiting` of each kind. */
  readonly payouts: number;
  readonly corrections: number;
  /** Names and logos that wait for approval. */
  readonly looks: number;
  /** Disputes that still accept evidence, of all accounts. */
  readonly evidenceDue: EvidenceDue;
  /** Open alarms about money. */
  readonly alarms: number;
}

export const mostWaiting = 100;

/** Returns the sweeps with overdue work. */
export const sweepsBehind = (dues: readonly SweepDue[], now: Temporal.Instant): string[] =>
  sweepHealth(dues, now)
    .filter(({ behindSeconds }) => behindSeconds !== null)
    .map(({ name }) => name);

export async function readAttention(parts: OperatorHomeParts): Promise<ServiceAttention> {
  const { sql } = parts.base;
  const { business } = parts.clocks;
  const [late, suspense, dues, failedMails, payouts, corrections, looks, alarms, evidenceDue] =
    await Promise.all([
      parts.lateFiles(business.today()),
      openSuspense(sql),
      parts.sweeper.dues(),
      countFailedMails(sql, mostCounted),
      listWaiting(sql, 'payout', mostWaiting),
      listWaiting(sql, 'correction', mostWaiting),
      listPendingLooks(sql, mostWaiting),
      countMoneyAlarms(sql),
      countEvidenceDue(sql, null, business.now()),
    ]);
  return {
    lateFiles: late,
    suspense,
    sweepsBehind: sweepsBehind(dues, business.now()),
    failedMails,
    payouts: payouts.length,
    corrections: corrections.length,
    looks: looks.length,
    evidenceDue,
    alarms: alarms.reduce((sum, { count }) => sum + count, 0),
  };
}
