import { lockAccount } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import { compareDays, formatDay } from '../../kernel/dates.ts';
import { decimalText, toJsonNumber } from '../../kernel/money.ts';
import { percentText } from '../../kernel/percent.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { type FieldValues, refuseOutdated } from '../../platform/form-version.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ChannelCode } from '../channels/index.ts';
import { refusal } from './codes.ts';
import { bookOf, type FeeRow, type FeeTerms, readFees, standardTerms } from './fees.ts';

interface FeeChange {
  accountId: string;
  channel: ChannelCode;
  /** The first day of payment that the change applies to, today or later. */
  from: Temporal.PlainDate;
  /**
   * The version of the terms that the form displayed (`src/platform/form-version.ts`). An outdated
   * one is rejected.
   */
  seen?: string;
  actor: Actor;
}

interface Changed {
  type: 'fees.set' | 'fees.ended';
  change: FeeChange;
  data: Record<string, unknown>;
}

/** Throws 400 for past days, because a change never affects earlier payments. */
function refusePast(from: Temporal.PlainDate, today: Temporal.PlainDate): void {
  if (compareDays(from, today) >= 0) return;
  throw refusal('fees.past', { from, today });
}

const tell = (
  sql: Queryable,
  { type, change, data }: Changed,
  id: number,
  at: Temporal.Instant,
): Promise<void> =>
  appendEvents(sql, [
    {
      accountId: change.accountId,
      entity: 'fees',
      entityId: String(id),
      version: 1,
      id,
      type,
      at,
      actor: change.actor,
      data: { channel: change.channel, from: change.from.toString(), ...data },
    },
  ]);

const presentTerms = (terms: FeeTerms) => ({
  percentage: terms.percentagePpm / 10_000,
  fixed: toJsonNumber(terms.fixed),
  minimum: toJsonNumber(terms.minimum),
  days: terms.availableAfterDays,
});

const until = (day: Temporal.PlainDate | null): string => (day === null ? '' : formatDay(day));

/**
 * Returns the values that the version of a channel's form covers: all of the account's own terms
 * for it, past and planned.
 */
export const termsFormValues = (rows: readonly FeeRow[], channel: ChannelCode): FieldValues => ({
  terms: rows
    .filter((row) => row.channel === channel)
    .map(
      (row) =>
        `${formatDay(row.valid_from)}–${until(row.valid_to)}: ${percentText(row.percentage_ppm)} % + ` +
        `${decimalText(row.fixed)} (≥ ${decimalText(row.minimum)}), +${row.available_after_days}`,
    )
    .join('\n'),
});

/** Returns true if the terms already apply from that day on. */
const isThere = (
  rows: readonly FeeRow[],
  { channel, from, terms }: FeeChange & { terms: FeeTerms },
) =>
  rows.some(
    (row) =>
      row.channel === channel &&
      row.valid_to === null &&
      row.valid_from.equals(from) &&
      row.percentage_ppm === terms.percentagePpm &&
      row.fixed === terms.fixed &&
      row.minimum === terms.minimum &&
      row.available_after_days === terms.availableAfterDays,
  );

/** Returns the terms in force on the first day, before the change. */
const termsBefore = (rows: readonly FeeRow[], { channel, from }: FeeChange) =>
  presentTerms(bookOf(rows)(channel, from));

export type SetFees = (change: FeeChange & { terms: FeeTerms }) => Promise<void>;

/**
 * Sets an account's terms for a channel from a day on, replacing others from the same day. Throws
 * 400 if the day has passed, 404 for an unknown account, 409 if the terms changed since the form
 * was loaded.
 */
export const setFees =
  ({ sql, clocks, recordIds }: Base): SetFees =>
  async (change) => {
    refusePast(change.from, clocks.business.today());
    const { accountId, channel, from, terms } = change;
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await readFees(tx, [accountId]);
      if (isThere(rows, change)) return;
      refuseOutdated(change.seen, termsFormValues(rows, channel));
      const before = termsBefore(rows, change);
      await tx`
        insert into fees (account_id, channel, valid_from, percentage_ppm, fixed, minimum,
          available_after_days)
        values (${accountId}, ${channel}, ${from}::date, ${terms.percentagePpm}, ${terms.fixed},
          ${terms.minimum}, ${terms.availableAfterDays})
        on conflict (account_id, channel, valid_from) do update set valid_to = null,
          percentage_ppm = excluded.percentage_ppm, fixed = excluded.fixed,
          minimum = excluded.minimum, available_after_days = excluded.available_after_days`;
      const data = { ...presentTerms(terms), before };
      await tell(tx, { type: 'fees.set', change, data }, eventId, clocks.business.now());
    });
  };

export type EndFees = (change: FeeChange) => Promise<void>;

/**
 * Ends an account's own terms for a channel. From a day on, the standard terms apply, and own terms
 * planned for later are deleted. Throws 400 if the day has passed, 404 for an unknown account, 409
 * if there is nothing to end, or the terms changed since the form was loaded.
 */
export const endFees =
  ({ sql, clocks, recordIds }: Base): EndFees =>
  async (change) => {
    refusePast(change.from, clocks.business.today());
    const { accountId, channel, from } = change;
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const rows = await readFees(tx, [accountId]);
      const before = termsBefore(rows, change);
      const dropped = await tx`
        delete from fees where account_id = ${accountId} and channel = ${channel}
          and valid_from >= ${from}::date returning valid_from`;
      const ended = await tx`
        update fees set valid_to = ${from.subtract({ days: 1 })}::date
        where account_id = ${accountId} and channel = ${channel}
          and valid_from = (select max(valid_from) from fees
            where account_id = ${accountId} and channel = ${channel})
          and coalesce(valid_to >= ${from}::date, true)
        returning valid_from`;
      if (dropped.length + ended.length === 0) {
        throw refusal('fees.nothing_to_end', { from });
      }
      refuseOutdated(change.seen, termsFormValues(rows, channel));
      await tell(
        tx,
        { type: 'fees.ended', change, data: { ...presentTerms(standardTerms[channel]), before } },
        eventId,
        clocks.business.now(),
      );
    });
  };
