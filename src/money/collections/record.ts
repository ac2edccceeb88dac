import type { Calendar } from '../../calendar/index.ts';
import { compareDays, dayOf } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import { type Centavos, minus, sumOf, toJsonNumber, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { batcher, byAccount } from '../../platform/batcher.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { byStatement } from '../../platform/postgres/distributed/engine.ts';
import {
  collectMove,
  eventOf,
  hasNameOfItsOwn,
  type RequestRow,
  transitionOf,
} from '../../requests/index.ts';
import { type ChannelCode, channels } from '../channels/index.ts';
import { type FeeBook, type FeeTerms, feeOn, readFeeBooks } from '../fees/index.ts';
import { entry, ledgerAccounts, onOpenDay } from '../ledger/index.ts';
import {
  readWithholdingRates,
  type Withholding,
  type WithholdingRate,
  withholdingsOn,
} from '../withholdings/index.ts';
import type { ResultDetails, ResultRow } from './result.ts';
import { type ResultEvent, type ResultWrite, writeResults } from './write.ts';

/** A payment or a refusal, as a channel reports it. */
export interface PaymentFact {
  request: RequestRow;
  type: 'collected' | 'rejected';
  channel: ChannelCode;
  /** Display name, such as a card's brand or a network's name. */
  label: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  /** Source of the fact, and its id there. A fact is recorded once. */
  source: string;
  sourceRef: string;
  actor: Actor;
  attemptId: number | null;
  details: ResultDetails;
  /** True for a refusal with an automatic retry. The request stays in its state. */
  again?: boolean;
  /** Fees and withholdings. Default: by the account's terms. */
  costs?: { net: Centavos; iva: Centavos; withholdings: Withholding[] };
}

export type RecordOutcome = { outcome: 'recorded'; resultId: number } | { outcome: 'known' };

export type RecordFacts = (facts: PaymentFact[]) => Promise<RecordOutcome[]>;
export type RecordFact = (fact: PaymentFact) => Promise<RecordOutcome>;

/**
 * Returns the release day, `today` at the earliest. Instant rails (0 days) release on any day.
 * Others count bank business days.
 */
export function availableOn(
  calendar: Calendar,
  { paidOn, today }: { paidOn: Temporal.PlainDate; today: Temporal.PlainDate },
  terms: FeeTerms,
): Temporal.PlainDate {
  const day =
    terms.availableAfterDays === 0
      ? paidOn
      : calendar.nextBusinessDay(paidOn, terms.availableAfterDays);
  return compareDays(day, today) < 0 ? today : day;
}

interface Ids {
  result: number;
  journal: number;
  event: number;
}

const blankRow = (fact: PaymentFact, ids: Ids, now: Temporal.Instant): ResultRow => ({
  account_id: fact.request.account_id,
  id: ids.result,
  request_id: fact.request.id,
  kind: fact.request.kind,
  type: fact.type,
  channel: fact.channel,
  channel_label: fact.label,
  amount: fact.amount,
  net_fee: zero,
  fee_iva: zero,
  withheld: zero,
  unreleased: zero,
  refunded: zero,
  charged_back: zero,
  refunding: zero,
  paid_at: fact.paidAt,
  informed_at: now,
  informed_on: dayOf(now),
  available_on: null,
  released_on: null,
  reverses_id: null,
  source: fact.source,
  source_ref: fact.sourceRef,
  reference: fact.request.reference,
  payer: fact.request.payer,
  description: fact.request.description,
  details: fact.details,
});

export const eventData = (
  row: Pick<ResultRow, 'id' | 'request_id' | 'kind' | 'amount' | 'reference' | 'reverses_id'>,
): Record<string, unknown> => ({
  ...(row.reference !== null && { external_reference: row.reference }),
  // Events name a QR by its code, so their data must contain the request's id.
  ...(hasNameOfItsOwn(row.kind) && { request_id: row.request_id }),
  request_result_id: row.id,
  ...(row.reverses_id !== null && { reversed_result_id: row.reverses_id }),
  amount: toJsonNumber(row.amount),
});

const resultEvent = (
  fact: PaymentFact,
  ids: Ids,
  move: 'collect' | 'reject' | 'retry',
  row: ResultRow,
): ResultEvent => ({
  id: ids.event,
  what: eventOf(row.kind, move),
  actor: fact.actor,
  data: eventData(row),
});

function rejection(fact: PaymentFact, ids: Ids, now: Temporal.Instant): ResultWrite {
  const row = blankRow(fact, ids, now);
  const move = fact.again ? 'retry' : 'reject';
  return {
    row,
    withholdings: [],
    journal: null,
    event: resultEvent(fact, ids, move, row),
    move: transitionOf(row.kind, move),
    attemptId: fact.attemptId,
    back: null,
  };
}

interface Book {
  calendar: Calendar;
  fees: FeeBook;
  rates: WithholdingRate[];
}

/**
 * Builds a collection's result and its journal: clearing against holder, fee, VAT and withholdings.
 */
function collection(
  fact: PaymentFact,
  ids: Ids,
  now: Temporal.Instant,
  { calendar, fees, rates }: Book,
): ResultWrite {
  const base = blankRow(fact, ids, now);
  const paidOn = dayOf(fact.paidAt);
  const terms = fees(fact.channel, paidOn);
  const { costs } = fact;
  const fee = costs ?? feeOn(fact.amount, terms);
  const withholdings = costs?.withholdings ?? withholdingsOn(fact.amount, rates, paidOn);
  const withheld = sumOf(withholdings.map((line) => line.amount));
  const credit = minus(fact.amount, sumOf([fee.net, fee.iva, withheld]));
  const row: ResultRow = {
    ...base,
    net_fee: fee.net,
    fee_iva: fee.iva,
    withheld,
    unreleased: credit,
    available_on: availableOn(calendar, { paidOn, today: base.informed_on }, terms),
  };
  return {
    row,
    withholdings,
    journal: {
      id: ids.journal,
      kind: 'collection',
      entry: entry([
        [channels[fact.channel].clearing, fact.amount],
        [ledgerAccounts.holderUnavailable, -credit],
        [ledgerAccounts.feeIncome, -fee.net],
        [ledgerAccounts.vatPayable, -fee.iva],
        [ledgerAccounts.withholdingsPayable, -withheld],
      ]),
    },
    event: resultEvent(fact, ids, 'collect', row),
    move: collectMove(fact.request),
    attemptId: fact.attemptId,
    back: null,
  };
}

export type PrepareFacts = (facts: PaymentFact[]) => Promise<ResultWrite[]>;

/** Computes results from facts by their accounts' fees and rates. Writes nothing. */
export const prepareFacts =
  ({ sql, clocks, recordIds }: Base, loadCalendar: () => Promise<Calendar>): PrepareFacts =>
  async (facts) => {
    const accountIds = [...new Set(facts.map((fact) => fact.request.account_id))];
    const [calendar, books, rates, ids] = await Promise.all([
      loadCalendar(),
      readFeeBooks(sql, accountIds),
      readWithholdingRates(sql, accountIds),
      recordIds.take(facts.length * 3),
    ]);
    const now = clocks.business.now();
    return facts.map((fact, index) => {
      const own = {
        result: itemAt(ids, index * 3),
        journal: itemAt(ids, index * 3 + 1),
        event: itemAt(ids, index * 3 + 2),
      };
      if (fact.type === 'rejected') return rejection(fact, own, now);
      const fees = books.get(fact.request.account_id);
      if (!fees) throw new Error('an account without a fee book');
      return collection(fact, own, now, {
        calendar,
        fees,
        rates: rates.get(fact.request.account_id) ?? [],
      });
    });
  };

async function writeTogether(sql: Queryable, writes: ResultWrite[]): Promise<Set<number>> {
  const recorded = new Set<number>();
  for (const some of byStatement(sql, writes, ({ row }) => row.account_id)) {
    for (const id of await writeResults(sql, some)) recorded.add(id);
  }
  return recorded;
}

/**
 * Records facts, each as a result with its event, and a payment with its fees and journal. A
 * repeated fact is `known` and changes nothing. Never refuses a payment, because the money has
 * arrived.
 */
export const recordFacts = (base: Base, loadCalendar: () => Promise<Calendar>): RecordFacts => {
  const prepare = prepareFacts(base, loadCalendar);
  return async (facts) => {
    const [writes, recorded] = await onOpenDay(async () => {
      const prepared = await prepare(facts);
      return [prepared, await writeTogether(base.sql, prepared)] as const;
    });
    return writes.map(({ row }) =>
      recorded.has(row.id) ? { outcome: 'recorded', resultId: row.id } : { outcome: 'known' },
    );
  };
};

/** Records single facts. Concurrent ones share a statement. */
export const batchedRecord = ({ sql }: Base, record: RecordFacts): RecordFact =>
  batcher(
    record,
    { maxBatch: 200, maxQueue: 5_000, parallel: 2 },
    byAccount(sql, ({ request }) => request.account_id),
  );
