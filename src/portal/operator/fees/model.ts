import type { Account } from '../../../accounts/index.ts';
import { compareDays, parseDayOrIso } from '../../../kernel/dates.ts';
import { type Centavos, decimalText } from '../../../kernel/money.ts';
import { parsePercent, percentText } from '../../../kernel/percent.ts';
import { allChannelCodes, type ChannelCode } from '../../../money/channels/index.ts';
import {
  type FeeRow,
  type FeeTerms,
  lastFeeChanges,
  readFeeBooks,
  readFees,
  standardTerms,
  type ToldFeeChange,
} from '../../../money/fees/index.ts';
import { readWithholdingRates, type WithholdingRate } from '../../../money/withholdings/index.ts';
import { userOf } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import type { UserVerbs } from '../../../users/index.ts';
import { portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { pesosIn } from '../forms/read.ts';
import { feesTexts } from './texts.ts';

export interface FeePageParts {
  base: Base;
  users: Pick<UserVerbs, 'namesOf'>;
}

/** Changes shown; the audit log has all of them. */
const mostChanges = 20;

export function channelIn({ params }: ServiceVisit): ChannelCode {
  const channel = allChannelCodes.find((one) => one === params.channel);
  if (channel === undefined) throw portalRefusal('page.not_found', {});
  return channel;
}

export interface ChannelTerms {
  channel: ChannelCode;
  terms: FeeTerms;
  /** Its own terms as they are stored; null: the standard ones hold. */
  own: FeeRow | null;
}

export interface FeesModel {
  account: Account;
  now: readonly ChannelTerms[];
  /** Own terms that begin later. */
  planned: readonly FeeRow[];
  changes: readonly ToldFeeChange[];
  names: ReadonlyMap<number, string>;
  rates: readonly WithholdingRate[];
}

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) > 0;

export async function readFeesOf(parts: FeePageParts, account: Account): Promise<FeesModel> {
  const { sql, clocks } = parts.base;
  const today = clocks.business.today();
  const [rows, books, changes, rates] = await Promise.all([
    readFees(sql, [account.id]),
    readFeeBooks(sql, [account.id]),
    lastFeeChanges(sql, account.id, mostChanges),
    readWithholdingRates(sql, [account.id]),
  ]);
  const book = books.get(account.id);
  const now = allChannelCodes.map((channel) => {
    const own = rows.find((row) => row.channel === channel && !isAfter(row.valid_from, today));
    const holds = own !== undefined && (own.valid_to === null || !isAfter(today, own.valid_to));
    const terms = book?.(channel, today) ?? standardTerms[channel];
    return { channel, terms, own: holds ? own : null };
  });
  return {
    account,
    now,
    planned: rows.filter((row) => isAfter(row.valid_from, today)),
    changes,
    names: await parts.users.namesOf(changes.flatMap(({ actor }) => userOf(actor))),
    rates: rates.get(account.id) ?? [],
  };
}

/** A channel's form as typed, with its faults. */
export interface TermsDraft {
  percentage: string;
  fixed: string;
  minimum: string;
  days: string;
  from: string;
  faults: readonly FieldFault[];
}

function amountIn(text: string): Centavos | null {
  const amount = pesosIn(text === '' ? '0' : text);
  return amount !== null && amount >= 0 ? amount : null;
}

export interface Ordered {
  draft: TermsDraft;
  /** Null: something is wrong. */
  order: { terms: FeeTerms; from: Temporal.PlainDate } | null;
}

export function termsIn({ lang, posted }: ServiceVisit, today: Temporal.PlainDate): Ordered {
  const texts = feesTexts[lang];
  const text = (name: string) => (posted.get(name) ?? '').trim();
  const draft = {
    percentage: text('percentage'),
    fixed: text('fixed'),
    minimum: text('minimum'),
    days: text('days'),
    from: text('from'),
  };
  const ppm = parsePercent(draft.percentage.replace(',', '.'));
  const [fixed, minimum] = [amountIn(draft.fixed), amountIn(draft.minimum)];
  const days =
    /^\d{1,3}$/.test(draft.days) && Number(draft.days) <= 366 ? Number(draft.days) : null;
  const day = parseDayOrIso(draft.from);
  const from = day === null || isAfter(today, day) ? null : day;
  const read = { percentage: ppm, fixed, minimum, days, from };
  const names = ['percentage', 'fixed', 'minimum', 'days', 'from'] as const;
  const faults = names
    .filter((name) => read[name] === null)
    .map((field) => ({ field, label: texts[field], text: texts.faults[field] }));
  if (ppm === null || fixed === null || minimum === null || days === null || from === null) {
    return { draft: { ...draft, faults }, order: null };
  }
  const terms = { percentagePpm: ppm, fixed, minimum, availableAfterDays: days };
  return { draft: { ...draft, faults }, order: { terms, from } };
}

const comma = (text: string): string => text.replace('.', ',');

/** The terms that hold, to be changed. */
export const draftOf = (terms: FeeTerms, from: Temporal.PlainDate): TermsDraft => ({
  percentage: comma(percentText(terms.percentagePpm)),
  fixed: comma(decimalText(terms.fixed)),
  minimum: comma(decimalText(terms.minimum)),
  days: String(terms.availableAfterDays),
  from: from.toString(),
  faults: [],
});
