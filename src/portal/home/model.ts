import { compareDays, midnightOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import { countUnsigned } from '../../mandates/index.ts';
import {
  type CollectedTotals,
  type ComingDay,
  countChargebacks,
  countRejectedDebits,
  type DailyTotal,
  growthOf,
  readDailyTotals,
  readToCome,
  sumOfTotals,
  totalsByDay,
  totalsOn,
  totalsUntil,
} from '../../money/collections/index.ts';
import { countEvidenceDue, type EvidenceDue } from '../../money/disputes/index.ts';
import { holderBalances } from '../../money/ledger/index.ts';
import { waitingOf } from '../../money/proposals/index.ts';
import { type PaymentRequests, searchForm } from '../../payment-requests/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import type { RequestTotal } from '../../requests/index.ts';
import { type FailingWebhook, failingWebhooks } from '../../webhooks/index.ts';
import { type AccountVisit, ctxOf } from '../frame/index.ts';

/** A network or bank whose files are overdue, and the day of its last one. */
interface LateFile {
  readonly rail: string;
  readonly file_date: Temporal.PlainDate;
}

export interface HomeParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  requests: Pick<PaymentRequests, 'total'>;
  lateFiles(today: Temporal.PlainDate): Promise<readonly LateFile[]>;
}

/** Days of the chart, and of recent rejections. */
const chartDays = 30;
const rejectionDays = 7;
/** Requests that have been overdue for longer are not worth a reminder. */
const overdueDays = 30;
/** Warns of unsigned mandates that expire within this many days. */
const unsignedDays = 3;
/** Maximum number of refunds to count. */
const mostRefunds = 100;

/** Work that needs attention, limited to what the reader may see. */
export interface Attention {
  readonly rejectedDebits: number;
  /** Chargebacks of all kinds in the days of `disputedIn`. */
  readonly chargebacks: number;
  readonly disputedIn: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate };
  readonly evidenceDue: EvidenceDue;
  readonly unsignedMandates: number;
  readonly failingWebhooks: readonly FailingWebhook[];
  readonly lateFiles: readonly LateFile[];
  /** Refunds that others proposed and this reader may approve, counted up to a limit. */
  readonly refunds: { readonly count: number; readonly isMore: boolean };
}

/** Unpaid requests, each with the query of its list. The total is null if the list is too long. */
export type Unpaid = Record<
  'outstanding' | 'overdue',
  { readonly query: URLSearchParams; readonly total: RequestTotal | null }
>;

export interface HomeModel {
  readonly today: Temporal.PlainDate;
  /** Null without permission to see them. */
  readonly balances: { available: Centavos; unavailable: Centavos } | null;
  readonly toCome: readonly ComingDay[];
  /** Null without permission to see requests. */
  readonly unpaid: Unpaid | null;
  readonly collected: {
    readonly today: CollectedTotals;
    readonly thisMonth: CollectedTotals;
    /** Last month up to the same day, and in full. */
    readonly lastMonthSoFar: CollectedTotals;
    readonly lastMonth: CollectedTotals;
  };
  readonly days: readonly {
    readonly day: Temporal.PlainDate;
    readonly totals: readonly DailyTotal[];
  }[];
  readonly growth: Record<'thisMonth' | 'lastMonth', ReturnType<typeof growthOf>>;
  readonly attention: Attention;
}

async function readAttention(
  { base: { sql }, clocks, lateFiles }: HomeParts,
  { account, may, user }: AccountVisit,
): Promise<Attention> {
  const today = clocks.business.today();
  const at = clocks.business.now();
  const from = today.subtract({ days: rejectionDays });
  const refunds = { accountId: account.id, kind: 'refund', at } as const;
  const [rejectedDebits, chargebacks, evidenceDue, unsignedMandates, webhooks, late, proposed] =
    await Promise.all([
      may('debits.see') ? countRejectedDebits(sql, account.id, from) : 0,
      may('requests.see') ? countChargebacks(sql, account.id, from) : 0,
      may('requests.see') ? countEvidenceDue(sql, account.id, at) : { count: 0, first: null },
      may('mandates.see')
        ? countUnsigned(sql, account.id, midnightOf(today.add({ days: unsignedDays })))
        : 0,
      may('integrations.see') ? failingWebhooks(sql, account.id) : [],
      may('money.see') ? lateFiles(today) : [],
      may('refunds.approve') ? waitingOf(sql, refunds, mostRefunds + 1) : [],
    ]);
  return {
    rejectedDebits,
    chargebacks,
    evidenceDue,
    disputedIn: { from, to: today },
    unsignedMandates,
    failingWebhooks: webhooks,
    lateFiles: late,
    refunds: {
      count: proposed.slice(0, mostRefunds).filter((one) => one.proposed_by !== user.id).length,
      isMore: proposed.length > mostRefunds,
    },
  };
}

async function readUnpaid(
  { requests }: HomeParts,
  visit: AccountVisit,
  today: Temporal.PlainDate,
): Promise<Unpaid> {
  const totalOf = async (filters: Record<string, string>) => {
    const read = searchForm.parse(filters);
    if (!read.ok) throw new Error('a filter of the start page is none of the list');
    return {
      query: new URLSearchParams(filters),
      total: await requests.total(ctxOf(visit), read.value),
    };
  };
  const from = today.subtract({ days: overdueDays }).toString();
  const [outstanding, overdue] = await Promise.all([
    totalOf({ state: 'pending' }),
    totalOf({ state: 'overdue', first_due_date_gte: from }),
  ]);
  return { outstanding, overdue };
}

const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  compareDays(a, b) < 0 ? a : b;

export async function readHome(parts: HomeParts, visit: AccountVisit): Promise<HomeModel> {
  const { sql } = parts.base;
  const { id } = visit.account;
  const today = parts.clocks.business.today();
  const month = today.toPlainYearMonth();
  const last = month.subtract({ months: 1 });
  const firstOfChart = today.subtract({ days: chartDays - 1 });
  const from = earlier(last.toPlainDate({ day: 1 }), firstOfChart);
  const money = visit.may('money.see');
  const [balances, toCome, daily, attention, unpaid] = await Promise.all([
    money ? holderBalances(sql, id) : null,
    money ? readToCome(sql, id) : [],
    readDailyTotals(sql, id, { from, to: today }),
    readAttention(parts, visit),
    visit.may('requests.see') ? readUnpaid(parts, visit, today) : null,
  ]);
  const totals = totalsByDay(daily);
  return {
    today,
    balances,
    toCome,
    unpaid,
    attention,
    collected: {
      today: sumOfTotals(totalsOn(totals, today)),
      thisMonth: totalsUntil(totals, month),
      lastMonthSoFar: totalsUntil(totals, last, today.day),
      lastMonth: totalsUntil(totals, last),
    },
    days: Array.from({ length: chartDays }, (_, index) => firstOfChart.add({ days: index })).map(
      (day) => ({ day, totals: totalsOn(totals, day) }),
    ),
    growth: { thisMonth: growthOf(totals, month, today.day), lastMonth: growthOf(totals, last) },
  };
}
