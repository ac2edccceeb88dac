import { type HistoryEvent, readHistory } from '../../events/index.ts';
import { dayOf, midnightOf } from '../../kernel/dates.ts';
import { fromJsonNumber } from '../../kernel/money.ts';
import { attemptsOn, type TriedRow } from '../../money/charges/index.ts';
import { attemptOf, type FoundRequest, type ResultRow } from '../../money/collections/index.ts';
import { firstPayoutSince } from '../../money/payouts/index.ts';
import { readActor, system } from '../../platform/actor.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { entityOf, type RequestKey } from '../../requests/index.ts';
import { type FindPaymentRequest, getPaymentRequest } from '../get.ts';
import { mailsAbout } from '../mails/store.ts';
import { mailSteps } from './mail-steps.ts';
import type { TimelineStep } from './step.ts';

/** Maximum number of events in a timeline. */
const mostEvents = 200;

const blank = { day: null, channel: null, amount: null, resultId: null, words: null };

const wordsOf = ({ details }: ResultRow): string | null =>
  details.state_comment ?? details.code ?? null;

/** Converts an event to a step, with the channel and amount from its data. */
function stepOf({ type, at, actor, data }: HistoryEvent, results: readonly ResultRow[]) {
  const result = results.find(({ id }) => id === data.request_result_id);
  const partial = /\.refund/.test(type) && typeof data.amount === 'number' ? data.amount : null;
  const comment = typeof data.state_comment === 'string' ? data.state_comment : null;
  const step: TimelineStep = {
    ...blank,
    what: type.slice(type.indexOf('.') + 1),
    at,
    actor: readActor(actor),
    words: comment,
    ...(typeof data.state === 'string' && { state: data.state }),
    ...(result && {
      channel: result.channel_label,
      // A refund names its payment, but may return only part of it.
      amount: partial === null ? result.amount : fromJsonNumber(partial),
      resultId: result.id,
      words: wordsOf(result) ?? comment,
    }),
  };
  return step;
}

/** Returns an attempt's steps: its start, and its authorization if there was one. */
function triedSteps(row: TriedRow): TimelineStep[] {
  const { started_at: at, label: channel, amount, connector, ordered } = row;
  const actor = readActor(row.actor);
  const tried = { ...blank, what: 'tried', at, actor, channel, amount, connector };
  const authorizedAt = row.authorized_at;
  if (authorizedAt === null) return [tried];
  const what = ordered === 'void' ? 'authorization_voided' : 'authorized';
  return [tried, { ...tried, what, at: authorizedAt, actor: system }];
}

/**
 * Returns the step at which money becomes available: at the start of its day or, on an instant
 * rail, when the payment is recorded.
 */
const releasedStep = (row: ResultRow, day: Temporal.PlainDate): TimelineStep => {
  const morning = midnightOf(day);
  const at = Temporal.Instant.compare(morning, row.informed_at) < 0 ? row.informed_at : morning;
  const { channel_label: channel, amount, id: resultId } = row;
  return { ...blank, what: 'available', at, day, actor: system, channel, amount, resultId };
};

/** Order of simultaneous steps. */
const order: readonly string[] = [
  'created',
  'opened',
  'tried',
  'authorized',
  'authorization_voided',
  'rejected',
  'paid',
  'available',
];
const rankOf = ({ what }: TimelineStep): number => {
  const rank = order.indexOf(what);
  return rank === -1 ? order.length : rank;
};

export type ReadTimeline = (ctx: Ctx, id: number) => Promise<TimelineStep[]>;

/** A request's history in order, and the number of omitted events. */
export interface WholeTimeline {
  steps: TimelineStep[];
  leftOut: number;
}

/**
 * Returns the history of a request of any kind, in order: its events, charges, the release of its
 * money, and the first payout after that. If that payout emptied the available balance, it included
 * the money.
 */
export async function timelineOf(
  sql: Queryable,
  { row, results }: FoundRequest,
): Promise<WholeTimeline> {
  const { account_id: accountId, id } = row;
  const key: RequestKey = { accountId, id };
  const events = await readHistory(sql, { accountId, ...entityOf(row) }, mostEvents);
  const tried = await attemptsOn(
    sql,
    key,
    results.flatMap((one) => attemptOf(one) ?? []),
  );
  const released = results.flatMap((one) =>
    one.released_on === null ? [] : releasedStep(one, one.released_on),
  );
  const first = released.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))[0];
  const mails = await mailsAbout(sql, key);
  const payout = first && (await firstPayoutSince(sql, accountId, first.at));
  const steps: TimelineStep[] = [
    ...events.map((event) => stepOf(event, results)),
    ...tried.flatMap(triedSteps),
    ...released,
    ...mails.flatMap(mailSteps),
    ...(payout
      ? [
          {
            ...blank,
            what: 'paid_out',
            at: payout.sent_at,
            day: dayOf(payout.sent_at),
            actor: system,
          },
        ]
      : []),
  ];
  const [made, next] = events;
  return {
    steps: steps.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at) || rankOf(a) - rankOf(b)),
    leftOut: made && next ? next.version - made.version - 1 : 0,
  };
}

/** Returns a payment request's history. Throws 404 for an unknown request. */
export const readTimeline =
  (base: Base, find: FindPaymentRequest): ReadTimeline =>
  async (ctx, id) => {
    const found = await getPaymentRequest(base, find)(ctx, { id, detailRetentions: false });
    return (await timelineOf(base.sql, found)).steps;
  };
