import type { Account } from '../../../accounts/index.ts';
import { compareDays } from '../../../kernel/dates.ts';
import { decimalText } from '../../../kernel/money.ts';
import { percentText } from '../../../kernel/percent.ts';
import { allChannelCodes, type ChannelCode } from '../../../money/channels/index.ts';
import {
  type AuthoredFeeChange,
  type FeeRow,
  type FeeTerms,
  lastFeeChanges,
  readFeeBooks,
  readFees,
  standardTerms,
} from '../../../money/fees/index.ts';
import { readWithholdingRates, type WithholdingRate } from '../../../money/withholdings/index.ts';
import { userOf } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { UserVerbs } from '../../../users/index.ts';
import { portalRefusal, type ServiceVisit } from '../../frame/index.ts';

export interface FeePageParts {
  base: Base;
  users: Pick<UserVerbs, 'namesOf'>;
}

/** Maximum number of changes on the page. The audit log lists all of them. */
const mostChanges = 20;

export function channelIn({ params }: ServiceVisit): ChannelCode {
  const channel = allChannelCodes.find((one) => one === params.channel);
  if (channel === undefined) throw portalRefusal('page.not_found', {});
  return channel;
}

export interface ChannelTerms {
  channel: ChannelCode;
  terms: FeeTerms;
  /** The account's own stored terms. Null if the standard ones apply. */
  own: FeeRow | null;
}

export interface FeesModel {
  account: Account;
  now: readonly ChannelTerms[];
  /** The account's own terms that begin later. */
  planned: readonly FeeRow[];
  changes: readonly AuthoredFeeChange[];
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

const comma = (text: string): string => text.replace('.', ',');

/** Returns the current terms in the form's format. */
export const typedOf = (terms: FeeTerms, from: Temporal.PlainDate) => ({
  percentage: comma(percentText(terms.percentagePpm)),
  fixed: comma(decimalText(terms.fixed)),
  minimum: comma(decimalText(terms.minimum)),
  days: String(terms.availableAfterDays),
  from: from.toString(),
});
