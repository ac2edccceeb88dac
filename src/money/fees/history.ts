import { eventsOfEntity } from '../../events/index.ts';
import { compareDays, midnightOf } from '../../kernel/dates.ts';
import { type KnownSpan, type Ruling, rulingsOf } from '../../kernel/hindsight.ts';
import { centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ChannelCode } from '../channels/index.ts';
import {
  bookOf,
  type FeeBook,
  type FeeRow,
  type FeeTerms,
  formerTerms,
  readFees,
  standardTerms,
} from './fees.ts';

/** A version of an account's own terms, and the period in which it was stored. */
export type FeeVersion = FeeRow & KnownSpan;

interface FeeChange {
  type: 'fees.set' | 'fees.ended';
  at: Temporal.Instant;
  channel: ChannelCode;
  valid_from: Temporal.PlainDate;
  percentage_ppm: number;
  fixed: number;
  minimum: number;
  days: number;
}

const readChanges = (sql: Queryable, accountId: string) => sql<FeeChange[]>`
  select type, at, data->>'channel' as channel, (data->>'from')::date as valid_from,
    coalesce(round((data->>'percentage')::numeric * 10000), 0)::int as percentage_ppm,
    coalesce(round((data->>'fixed')::numeric * 100), 0)::bigint as fixed,
    coalesce(round((data->>'minimum')::numeric * 100), 0)::bigint as minimum,
    coalesce((data->>'days')::int, 0) as days
  from ${eventsOfEntity(sql, accountId, 'fees')} where data->>'from' is not null
  order by at, xid`;

export interface AuthoredFeeChange extends FeeChange {
  actor: string;
}

/** Returns the last changes to an account's terms, newest first. */
export const lastFeeChanges = (
  sql: Queryable,
  accountId: string,
  limit: number,
): Promise<AuthoredFeeChange[]> =>
  sql<AuthoredFeeChange[]>`
    select type, at, actor, data->>'channel' as channel, (data->>'from')::date as valid_from,
      coalesce(round((data->>'percentage')::numeric * 10000), 0)::int as percentage_ppm,
      coalesce(round((data->>'fixed')::numeric * 100), 0)::bigint as fixed,
      coalesce(round((data->>'minimum')::numeric * 100), 0)::bigint as minimum,
      coalesce((data->>'days')::int, 0) as days
    from ${eventsOfEntity(sql, accountId, 'fees')} where data->>'from' is not null
    order by at desc, xid desc limit ${limit}`;

const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) < 0;

/** Replays changes to an account's terms as `setFees` and `endFees` made them. */
class Replay {
  readonly versions: FeeVersion[] = [];
  readonly #accountId: string;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  #current(channel: ChannelCode): FeeVersion[] {
    return this.versions
      .filter((one) => one.channel === channel && one.until === null)
      .sort((a, b) => compareDays(a.valid_from, b.valid_from));
  }

  play(change: FeeChange): void {
    if (change.type === 'fees.set') this.#set(change);
    else this.#end(change);
  }

  #set({ at, channel, valid_from, percentage_ppm, fixed, minimum, days }: FeeChange): void {
    for (const one of this.#current(channel)) {
      if (one.valid_from.equals(valid_from)) one.until = at;
    }
    this.versions.push({
      account_id: this.#accountId,
      channel,
      valid_from,
      valid_to: null,
      percentage_ppm,
      fixed: centavos(fixed),
      minimum: centavos(minimum),
      available_after_days: days,
      since: at,
      until: null,
    });
  }

  #end({ at, channel, valid_from: from }: FeeChange): void {
    const current = this.#current(channel);
    for (const one of current) if (!isBefore(one.valid_from, from)) one.until = at;
    const last = current.findLast((one) => one.until === null);
    if (!last || (last.valid_to !== null && isBefore(last.valid_to, from))) return;
    last.until = at;
    this.versions.push({ ...last, valid_to: from.subtract({ days: 1 }), since: at, until: null });
  }
}

/** Returns every version of the account's own terms, with the period in which it was stored. */
export async function readFeeHistory(sql: Queryable, accountId: string): Promise<FeeVersion[]> {
  const replay = new Replay(accountId);
  for (const change of await readChanges(sql, accountId)) replay.play(change);
  return replay.versions;
}

const lastFirst = (a: FeeVersion, b: FeeVersion): number => compareDays(b.valid_from, a.valid_from);

/**
 * Returns a channel's terms for payments of a day, by recording time. Wherever the standard terms
 * apply, former standard terms may apply too.
 */
export function feeRulings(
  history: readonly FeeVersion[],
  channel: ChannelCode,
  day: Temporal.PlainDate,
): Ruling<FeeTerms>[] {
  const own = history.filter((one) => one.channel === channel && !isBefore(day, one.valid_from));
  const from = midnightOf(day.subtract({ days: 1 }));
  const rulings = rulingsOf(own, from, (known) => bookOf(known.sort(lastFirst))(channel, day));
  return rulings.flatMap((one) =>
    one.ruling === standardTerms[channel]
      ? [one, ...(formerTerms[channel] ?? []).map((ruling) => ({ ...one, ruling }))]
      : [one],
  );
}

/** Returns the fee book as known at an instant. */
export const feeBookAt = (history: readonly FeeVersion[], moment: Temporal.Instant): FeeBook =>
  bookOf(
    history
      .filter(
        ({ since, until }) =>
          (since === null || Temporal.Instant.compare(since, moment) <= 0) &&
          (until === null || Temporal.Instant.compare(until, moment) > 0),
      )
      .sort(lastFirst),
  );

const termsText = (row: FeeRow): string =>
  [
    row.channel,
    row.valid_from,
    row.valid_to,
    row.percentage_ppm,
    row.fixed,
    row.minimum,
    row.available_after_days,
  ].join(' ');

/** Checks that an account's terms follow from its events. */
export async function checkFees(sql: Queryable, accountId: string): Promise<string[]> {
  const history = await readFeeHistory(sql, accountId);
  const expected = new Set(history.filter(({ until }) => until === null).map(termsText));
  const found = new Set((await readFees(sql, [accountId])).map(termsText));
  const channels = [...expected.symmetricDifference(found)].map((text) => text.split(' ')[0]);
  return [...new Set(channels)].map((one) => `fees of ${one} differ from their events`);
}
