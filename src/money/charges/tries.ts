import { TooMany } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { versionOf } from '../../requests/index.ts';
import type { ChannelCode } from '../channels/index.ts';
import { refusedAttempts } from '../collections/index.ts';
import { fault } from './codes.ts';

/** Limits on refused attempts per request. */
export interface TryLimits {
  /** Number of refusals within 24 hours at which waits begin. */
  free: number;
  /** The first wait. Each refusal doubles it, up to a day. */
  pauseSeconds: number;
  /** Maximum number of refusals within 24 hours. */
  perDay: number;
  perRequest: number;
}

/** The wait before a request's next attempt, computed from its refusals. */
export interface Pause {
  is_spent: boolean;
  paused_until: Temporal.Instant | null;
}

/**
 * Channels on which anyone can type someone else's card or account, and so test stolen ones. A
 * wallet only charges its own user.
 */
const typed: readonly ChannelCode[] = ['credit_card', 'debit_card', 'DEBIN'];

/** Too many refused attempts on one request. A null `until` allows no further attempt. */
export class TriesPaused extends TooMany {
  readonly until: Temporal.Instant | null;

  constructor(
    until: Temporal.Instant | null,
    now: Temporal.Instant,
    code: 'charge.tries_paused' | 'charge.cards_paused' = 'charge.tries_paused',
  ) {
    const text = until === null ? fault('charge.tries_spent', {}) : fault(code, { until });
    super(text, until && Math.ceil(now.until(until).total('seconds')));
    this.until = until;
  }
}

interface Tried {
  account_id: string;
  request_id: number;
  channel: ChannelCode;
  started_at: Temporal.Instant;
}

/**
 * Builds a one-row query: the pause after a request's refusals, and the request's version when they
 * were counted. Uses the business clock, which dates results, so that moving the clock in the
 * sandbox ends the pause.
 */
export const pauseOf = (
  sql: Queryable,
  { account_id, request_id, channel, started_at }: Tried,
  { free, pauseSeconds, perDay, perRequest }: TryLimits,
): ReturnType<Queryable> => sql`
  select is_typed, is_typed and in_all >= ${perRequest} as is_spent,
    case when is_typed then greatest(
      case when of_day >= ${free} then last_at + make_interval(
        secs => least(${pauseSeconds} * power(2, least(of_day - ${free}, 20)), 86400)) end,
      case when of_day >= ${perDay} then times_of_day[${perDay}::int] + interval '24 hours' end
    ) end as paused_until,
    (${versionOf(sql, { accountId: account_id, id: request_id })}) as seen_version
  from (
    select ${typed.includes(channel)}::boolean as is_typed, count(*)::int as in_all,
      max(informed_at) as last_at,
      count(*) filter (where informed_at > ${dayBefore(started_at)}::timestamptz)::int as of_day,
      array_agg(informed_at order by informed_at desc) as times_of_day
    from ${refusedAttempts(sql, { account_id, request_id }, typed)}
  ) as refusals`;

const dayBefore = (moment: Temporal.Instant): Temporal.Instant => moment.subtract({ hours: 24 });

/** Throws 429 during a pause, or if no attempts are left. */
export function refuseIfPaused(pause: Pause, now: Temporal.Instant): void {
  if (pause.is_spent) throw new TriesPaused(null, now);
  const { paused_until: until } = pause;
  if (until !== null && Temporal.Instant.compare(until, now) > 0) throw new TriesPaused(until, now);
}
