import { type CalendarBounds, calendarBounds } from '../../../calendar/index.ts';
import { compareDays, dayOf, formatDay } from '../../../kernel/dates.ts';
import type { KnownSpan, Ruling } from '../../../kernel/hindsight.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { localDay } from '../../../platform/postgres/local-time.ts';
import { recordset } from '../../../platform/postgres/recordset.ts';
import type { ChannelCode } from '../../channels/index.ts';
import { channels } from '../../channels/index.ts';
import { type FeeTerms, type FeeVersion, feeRulings, readFeeHistory } from '../../fees/index.ts';
import { type RateHistory, rateRulings, readRateHistory } from '../../withholdings/index.ts';
import { availableOn } from '../record.ts';

/**
 * Terms are read before a payment is written, so around a change either version may apply. A long
 * register import commits minutes after it begins.
 */
const slack = { minutes: 10 };

const opened = ({ since }: KnownSpan) => since?.subtract(slack) ?? null;
const closed = ({ until }: KnownSpan) => until?.add(slack) ?? null;
/** Narrows a version to the period in which it certainly applied. */
const surely = ({ since, until }: KnownSpan): KnownSpan => ({
  since: since?.add(slack) ?? null,
  until: until?.subtract(slack) ?? null,
});

/** Collections of one channel that share all their days. `id` is the lowest. */
interface Group {
  channel: ChannelCode;
  paid_on: Temporal.PlainDate;
  informed_on: Temporal.PlainDate;
  available_on: Temporal.PlainDate;
  promised_on: Temporal.PlainDate | null;
  count: number;
  id: number;
}

const paidOn = (sql: Queryable) => localDay(sql, sql`paid_at`);

const groupsAtOnce = 1_000;

const readGroups = (sql: Queryable, accountId: string) =>
  sql<Group[]>`
    select channel, ${paidOn(sql)} as paid_on, informed_on, available_on, promised_on,
      count(*)::int as count, min(id) as id
    from results
    where account_id = ${accountId} and type = 'collected' and available_on is not null
    group by 1, 2, 3, 4, 5 order by 2`.cursor(groupsAtOnce);

type Rulings<T> = Map<string, Ruling<T>[]>;

interface Terms {
  history: FeeVersion[];
  rates: RateHistory;
  calendar: CalendarBounds;
  /** By channel and day. */
  fees: Rulings<FeeTerms>;
  days: Map<string, Temporal.PlainDate>;
}

const openTerms = async (sql: Queryable, accountId: string): Promise<Terms> => ({
  history: await readFeeHistory(sql, accountId),
  rates: await readRateHistory(sql, accountId),
  calendar: await calendarBounds(sql),
  fees: new Map(),
  days: new Map(),
});

function feesOf({ fees, history, days }: Terms, { channel, paid_on }: Group): Ruling<FeeTerms>[] {
  const key = `${channel} ${paid_on}`;
  const known = fees.get(key);
  if (known) return known;
  days.set(paid_on.toString(), paid_on);
  const found = channels[channel] ? feeRulings(history, channel, paid_on) : [];
  fees.set(key, found);
  return found;
}

const compare = compareDays;

/** Returns true if terms may have applied when a payment was reported, judging by its day. */
const mayHold = (known: KnownSpan, day: Temporal.PlainDate): boolean => {
  const [from, to] = [opened(known), closed(known)];
  return (
    (from === null || compare(dayOf(from), day) <= 0) &&
    (to === null || compare(dayOf(to), day) >= 0)
  );
};

/**
 * Returns true if a group's promised day follows from its terms and a calendar valid at the time.
 */
function isPromised(group: Group, rulings: Ruling<FeeTerms>[], calendar: CalendarBounds): boolean {
  const { paid_on, informed_on, available_on, promised_on } = group;
  return rulings
    .filter((one) => mayHold(one, informed_on))
    .some(({ ruling }) => {
      const when = { paidOn: paid_on, today: informed_on };
      const [soonest, latest] = [calendar.soonest, calendar.latest].map((one) =>
        availableOn(one, when, ruling),
      );
      return [available_on, promised_on].every(
        (day) =>
          day === null ||
          (soonest && latest && compare(soonest, day) <= 0 && compare(day, latest) <= 0),
      );
    });
}

const others = (count: number): string => (count === 1 ? '' : `, and ${count - 1} like it`);

/**
 * Returns promised days that do not follow from terms and calendar. Also loads the terms of every
 * group, for the checks that follow.
 */
async function wrongDays(sql: Queryable, accountId: string, terms: Terms): Promise<string[]> {
  const wrong: string[] = [];
  for await (const groups of readGroups(sql, accountId)) {
    for (const group of groups) {
      if (isPromised(group, feesOf(terms, group), terms.calendar)) continue;
      const { id, paid_on, available_on, count } = group;
      wrong.push(
        `result ${id} was paid on ${formatDay(paid_on)} and is available on ` +
          `${formatDay(available_on)}, which contradicts its terms and the calendar${others(count)}`,
      );
    }
  }
  return wrong.slice(0, 100);
}

/** Returns fees that differ from the terms for their channel, day and period of validity. */
async function wrongFees(sql: Queryable, accountId: string, { fees }: Terms): Promise<string[]> {
  const rows = [...fees].flatMap(([key, rulings]) =>
    rulings.map((one) => {
      const [channel = '', paid_on = ''] = key.split(' ');
      return { ...one.ruling, channel, paid_on, since: opened(one), until: closed(one) };
    }),
  );
  const shape = `t (channel text, paid_on date, since timestamptz, until timestamptz,
    percentage_ppm int, fixed bigint, minimum bigint)`;
  const wrong = await sql<{ id: number }[]>`
    with term as materialized (
      select channel, paid_on, coalesce(since, '-infinity') as since,
        coalesce(until, 'infinity') as until, percentage_ppm, fixed, minimum
      from ${recordset(sql, shape, rows)}
    )
    select r.id from results r
    where r.account_id = ${accountId} and r.type = 'collected'
      and r.details->>'restores' is null and not exists (
      select from term t
      where t.channel = r.channel and t.paid_on = ${paidOn(sql)}
        and r.informed_at >= t.since and r.informed_at < t.until
        and r.net_fee = greatest(t.minimum, t.fixed
          + div(r.amount::numeric * t.percentage_ppm + 500000, 1000000)))
    order by r.id limit 100`;
  return wrong.map(({ id }) => `result ${id} has a fee that differs from the terms of its day`);
}

/**
 * Builds a relation of the rates on each payment day, with the periods in which they may have
 * applied or, if `sure`, certainly did.
 */
function ratesOf(sql: Queryable, { rates, days }: Terms, sure: boolean) {
  const rows = [...days.values()].flatMap((day) =>
    rateRulings(rates, day).flatMap(({ ruling, ...known }) => {
      const { since, until } = sure
        ? surely(known)
        : { since: opened(known), until: closed(known) };
      return ruling.map((rate) => ({ ...rate, paid_on: day, since, until }));
    }),
  );
  return sql`
    select regime, jurisdiction, paid_on, coalesce(since, '-infinity') as since,
      coalesce(until, 'infinity') as until, rate_ppm
    from ${recordset(
      sql,
      `t (regime text, jurisdiction text, paid_on date, since timestamptz, until timestamptz,
        rate_ppm int)`,
      rows,
    )}`;
}

/** Returns withholdings without a register entry, and register entries without a withholding. */
async function wrongRates(sql: Queryable, accountId: string, terms: Terms): Promise<string[]> {
  const wrong = await sql<{ id: number; more: boolean }[]>`
    with maybe as materialized (${ratesOf(sql, terms, false)}),
    surely as materialized (${ratesOf(sql, terms, true)}),
    wrong as (
      select w.result_id as id, true as more
      from withholdings w
      join results r on r.account_id = w.account_id and r.id = w.result_id and r.type = 'collected'
      where w.account_id = ${accountId} and r.details->>'restores' is null and not exists (
          select from maybe t
          where t.regime = w.regime and t.jurisdiction = w.jurisdiction
            and t.paid_on = ${paidOn(sql)} and t.rate_ppm = w.rate_ppm
            and r.informed_at >= t.since and r.informed_at < t.until)
      union all
      select r.id, false
      from results r
      join surely t on t.paid_on = ${paidOn(sql)}
        and r.informed_at >= t.since and r.informed_at < t.until
        and r.amount::numeric * t.rate_ppm >= 500000
      where r.account_id = ${accountId} and r.type = 'collected'
        and r.details->>'restores' is null and not exists (
          select from withholdings w
          where w.account_id = ${accountId} and w.result_id = r.id and w.regime = t.regime
            and w.jurisdiction = t.jurisdiction)
    )
    select distinct id, more from wrong order by id limit 100`;
  return wrong.map(({ id, more }) =>
    more
      ? `result ${id} has a withholding that is in no register of its day`
      : `result ${id} lacks a withholding from the register of its day`,
  );
}

/** Checks each collection's fee, promised day and withholdings against the terms then in force. */
export async function checkTerms(sql: Queryable, accountId: string): Promise<string[]> {
  const terms = await openTerms(sql, accountId);
  return [
    ...(await wrongDays(sql, accountId, terms)),
    ...(await wrongFees(sql, accountId, terms)),
    ...(await wrongRates(sql, accountId, terms)),
  ];
}
