import { compareDays } from '../../kernel/dates.ts';
import { type Centavos, centavos, plus, share, zero } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ChannelCode } from '../channels/index.ts';

/** An account's price for a collection on a channel, and its settlement terms. */
export interface FeeTerms {
  percentagePpm: number;
  fixed: Centavos;
  minimum: Centavos;
  /** Business days after payment. */
  availableAfterDays: number;
}

export interface Fee {
  net: Centavos;
  iva: Centavos;
}

const ivaPpm = 210_000;

/** Computes a fee in centavos. net_fee is rounded half-up, and fee_iva is computed from it. */
export function feeOn(amount: Centavos, terms: FeeTerms): Fee {
  const fee = plus(share(amount, terms.percentagePpm), terms.fixed);
  const net = fee > terms.minimum ? fee : terms.minimum;
  return { net, iva: share(net, ivaPpm) };
}

const terms = (percentagePpm: number, availableAfterDays: number, fixed = 0): FeeTerms => ({
  percentagePpm,
  fixed: centavos(fixed),
  minimum: zero,
  availableAfterDays,
});

/**
 * Terms of accounts without a row in `fees`. If you change one, add its former value to
 * `formerTerms`.
 */
export const standardTerms: Record<ChannelCode, FeeTerms> = {
  credit_card: terms(50_000, 10),
  debit_card: terms(25_000, 2),
  banelco_pmc: terms(15_000, 1),
  link_pagos: terms(15_000, 1),
  DEBIN: terms(8_000, 0),
  wire_transfer: terms(8_000, 0),
  non_banking: terms(25_000, 4),
  qr: terms(8_000, 0),
  direct_debit: terms(12_000, 2),
  card_debit: terms(30_000, 9),
};

/** Former standard terms, for payments collected under them. */
export const formerTerms: Partial<Record<ChannelCode, readonly FeeTerms[]>> = {};

export interface FeeRow {
  account_id: string;
  channel: ChannelCode;
  valid_from: Temporal.PlainDate;
  valid_to: Temporal.PlainDate | null;
  percentage_ppm: number;
  fixed: Centavos;
  minimum: Centavos;
  available_after_days: number;
}

/** Returns an account's terms for a channel and day. */
export type FeeBook = (channel: ChannelCode, day: Temporal.PlainDate) => FeeTerms;

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) > 0;

/**
 * Builds a fee book. Of the rows that have started by the day, the one with the latest start
 * applies until its end. Otherwise the standard terms apply. Expects rows with the latest start
 * first.
 */
export function bookOf(rows: readonly FeeRow[]): FeeBook {
  return (channel, day) => {
    const row = rows.find((one) => one.channel === channel && !isAfter(one.valid_from, day));
    if (!row || (row.valid_to !== null && isAfter(day, row.valid_to))) {
      return standardTerms[channel];
    }
    return {
      percentagePpm: row.percentage_ppm,
      fixed: row.fixed,
      minimum: row.minimum,
      availableAfterDays: row.available_after_days,
    };
  };
}

/** Reads the accounts' rows, for each channel by start day, latest first. */
export async function readFees(sql: Queryable, accountIds: string[]): Promise<FeeRow[]> {
  return await sql<FeeRow[]>`
    select account_id, channel, valid_from, valid_to, percentage_ppm, fixed, minimum,
      available_after_days
    from fees
    where account_id = any(${accountIds}::text[]) and channel = any(${Object.keys(standardTerms)}::text[])
    order by account_id, channel, valid_from desc`;
}

export async function readFeeBooks(
  sql: Queryable,
  accountIds: string[],
): Promise<Map<string, FeeBook>> {
  const byAccount = Map.groupBy(await readFees(sql, accountIds), (row) => row.account_id);
  return new Map(accountIds.map((id) => [id, bookOf(byAccount.get(id) ?? [])]));
}
