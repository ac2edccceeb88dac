import { type ErasureEvent, writeEvents } from '../events/index.ts';
import { type Actor, actorText } from '../platform/actor.ts';
import { type Erasing, erasedEvent, erasedText } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { entityIdIn, eventOf } from './kinds.ts';
import { type Move, type RequestKind, type Transition, transitionOf } from './states.ts';
import { updateStates } from './stored-states.ts';
import { lockWords } from './words/lock.ts';

type Fragment = ReturnType<Queryable>;

/** Encodes a transition's start states as a text, because arrays do not nest. */
export const statesText = ({ from }: Transition): string => `{${from.join(',')}}`;

/** Terms shared by a statement's steps. */
export interface StepTerms {
  kind: RequestKind;
  move: Move;
  at: Temporal.Instant;
  actor: Actor;
  /** The reason, stored while the request is in the new state. */
  comment?: string;
}

/**
 * Returns the columns that all steps of a statement share: all but account_id, request_id, kind,
 * event_id and data.
 */
export function stepTerms(sql: Queryable, { kind, move, at, actor, comment }: StepTerms): Fragment {
  const transition = transitionOf(kind, move);
  if (!transition) throw new Error(`a ${kind} knows no ${move}`);
  return sql`
    ${statesText(transition)}::text as move_from, ${transition.to}::text as move_to,
    ${comment ?? null}::text as comment, ${eventOf(kind, move)}::text as what,
    ${at}::timestamptz as at, ${actorText(actor)}::text as actor`;
}

/** Builds a step's changes of the row `r`, if its state is one of the transition's start states. */
const moved = (sql: Queryable): Fragment => sql`
  state = case when r.state = any(f.from_states) then f.move_to else r.state end,
  state_comment = case
    when not coalesce(r.state = any(f.from_states), false) then r.state_comment
    when r.state = f.move_to then coalesce(f.comment, r.state_comment)
    else f.comment end`;

/** Selects events from `moved_requests`, one per step. */
const movedEvents = (sql: Queryable): Fragment => sql`
  request_events as (
    select account_id, kind as entity, entity_id, version, event_id as id,
      kind || '.' || what as type, at, actor,
      (jsonb_build_object('state', state) || data)::text as data
    from moved_requests
  ),
  ${writeEvents(sql, 'request_events')}`;

/**
 * Extra columns set by the same UPDATE. `from` joins the values that `set` reads to the steps, `f`.
 */
export interface Contents {
  set: Fragment;
  from: Fragment;
}

/**
 * Returns the condition on accounts. Names them as values, so that a distributed database can
 * choose the nodes before it runs the statement. Such a database locks rows on one node only, so
 * each of its statements concerns one account.
 */
const within = (sql: Queryable, accountIds: readonly string[]): Fragment => sql`
  r.account_id = any(${[...accountIds]}::text[])`;

/**
 * Builds CTEs that move requests, one step each, if kind and state allow it: lock them in key
 * order, set state and comment, raise the version and record the event. Append them to a relation
 * of steps `(account_id, request_id, kind, event_id, data)` and the columns of stepTerms. The
 * relation `moved_requests` has a row for each moved request.
 */
export const moveRequests = (
  sql: Queryable,
  steps: string,
  accountIds: readonly string[],
  contents?: Contents,
): Fragment => sql`
  held_steps as materialized (
    select * from (
      select step.*, step.move_from::text[] as from_states, r.state as was_state,
        r.last_due as was_due
      from ${sql(steps)} as step
      join requests r on r.account_id = step.account_id and r.id = step.request_id
      where ${within(sql, accountIds)} and r.kind = step.kind
        and r.state = any(step.move_from::text[])
      order by r.account_id, r.id for update of r
    ) as held
  ),
  moved_rows as (
    update requests r set version = r.version + 1, ${moved(sql)} ${contents?.set ?? sql``}
    from held_steps f ${contents?.from ?? sql``}
    where ${within(sql, accountIds)} and r.account_id = f.account_id and r.id = f.request_id
    returning r.account_id, r.id as request_id, r.kind, ${entityIdIn(sql)} as entity_id, r.state,
      r.version, f.event_id, f.what, f.at, f.actor, r.reference, f.comment, f.data as told,
      r.last_due, f.was_state, f.was_due
  ),
  ${updateStates(sql, 'moved_rows', accountIds)},
  moved_requests as (
    select account_id, request_id, kind, entity_id, state, version, event_id, what, at, actor,
      jsonb_strip_nulls(jsonb_build_object('external_reference', reference,
        'state_comment', comment)) || coalesce(told::jsonb, '{}') as data
    from moved_rows
  ),
  ${movedEvents(sql)}`;

/** Sets the state comments of the requests of a relation `(account_id, request_id)`. */
export const commentOnRequests = (
  sql: Queryable,
  from: string,
  accountId: string,
  comment: string,
): Fragment => sql`
  update requests r set state_comment = ${comment}
  from ${sql(from)} as told
  where r.account_id = ${accountId} and r.account_id = told.account_id and r.id = told.request_id
  returning r.id`;

/** Locks a relation's requests in key order, as `held_requests`. */
export const lockRequests = (
  sql: Queryable,
  steps: string,
  accountIds: readonly string[],
): Fragment => sql`
  held_requests as materialized (
    select * from (
      select r.account_id, r.id as request_id, r.state as was_state from requests r
      join (select distinct account_id, request_id from ${sql(steps)}) as step
        on step.account_id = r.account_id and step.request_id = r.id
      where ${within(sql, accountIds)}
      order by r.account_id, r.id for update of r
    ) as held
  )`;

/**
 * Merges a statement's facts into one row per request. If one of them is about money, its
 * transition counts.
 */
const notes = (sql: Queryable, facts: string): Fragment => sql`
  select account_id, request_id, count(*)::int as times,
    coalesce(max(move_to) filter (where is_money), max(move_to)) as move_to,
    coalesce(max(move_from) filter (where is_money), max(move_from))::text[] as from_states,
    case when not bool_or(is_money) then max(comment) end as comment
  from ${sql(facts)} group by account_id, request_id`;

/**
 * Builds CTEs that record facts on locked requests, possibly several on one. Each raises the
 * version and records its event in any state, and moves the request if its state allows it. Of
 * several transitions, that of a fact about money counts. Facts are steps with two more columns:
 * `no`, their order, and `is_money`. If facts may change a state, pass the relation of
 * lockRequests, which contains the former states. Full joins keep the planner, which expects one
 * row in `facts`, from choosing a nested loop over all pairs. `f.times is not null` drops locked
 * requests without a fact.
 */
export const noteOnRequests = (
  sql: Queryable,
  facts: string,
  accountIds: readonly string[],
  lockedRelation: 'held_requests' | null = null,
): Fragment => sql`
  notes as materialized (
    ${
      lockedRelation === null
        ? notes(sql, facts)
        : sql`select * from (${notes(sql, facts)}) as n
          full join ${sql(lockedRelation)} using (account_id, request_id)`
    }
  ),
  raised_requests as (
    update requests r set version = r.version + f.times, ${moved(sql)}
    from notes f
    where ${within(sql, accountIds)} and r.account_id = f.account_id and r.id = f.request_id
      and ${lockedRelation === null ? sql`true` : sql`f.times is not null`}
    returning r.account_id, r.id as request_id, ${entityIdIn(sql)} as entity_id, r.state,
      r.version - f.times as version
      ${lockedRelation === null ? sql`` : sql`, r.last_due, f.was_state, r.last_due as was_due`}
  ),
  ${lockedRelation === null ? sql`` : sql`${updateStates(sql, 'raised_requests', accountIds)},`}
  moved_requests as (
    select account_id, request_id, kind, entity_id, state,
      (version + row_number() over (partition by account_id, request_id order by no))::int
        as version,
      event_id, what, at, actor, data::jsonb as data
    from ${sql(facts)} full join raised_requests using (account_id, request_id)
  ),
  ${movedEvents(sql)}`;

/** Details without payer data, which an erasure retains. */
const impersonal = [
  ...['barcode', 'payment_code', 'excluded_channels', 'excluded_card_brands'],
  ...['excluded_installments', 'city', 'multiple_payment', 'qr_type', 'qr_name', 'postal_code'],
  ...['edited_at', 'deleted_at', 'static_id', 'month', 'year', 'cut_day', 'external_reference'],
];

/** Tests whether a request `r` was erased: its texts say so, and nothing personal is left. */
export const isErased = (sql: Queryable): Fragment => sql`
  (r.payer = ${erasedText} and r.description = ${erasedText}
    and coalesce(r.state_comment, ${erasedText}) = ${erasedText} and not exists (
    select from json_object_keys(r.details) as name where name <> all(${impersonal}::text[])))`;

/** A request's personal data to erase, with the affected rows of its money. */
export interface RequestErasure {
  id: number;
  eventId: number;
  resultIds: readonly number[];
  refundIds: readonly number[];
  disputeIds: readonly number[];
}

/**
 * Erases the payer from locked requests: removes names, texts and addresses, retains amounts, days
 * and ids. Raises each version and records its event, so that the rows are sealed again. Returns
 * the events.
 */
export async function eraseRequests(
  tx: Queryable,
  { accountId, at, actor, reason }: Erasing,
  erasures: readonly RequestErasure[],
): Promise<ErasureEvent[]> {
  const money = erasures.map(({ resultIds, refundIds, disputeIds }) =>
    JSON.stringify({
      request_result_ids: resultIds,
      refund_ids: refundIds,
      dispute_ids: disputeIds,
    }),
  );
  await lockWords(tx);
  return await tx<ErasureEvent[]>`
    with erasure as (
      select * from unnest(${erasures.map(({ id }) => id)}::bigint[],
        ${erasures.map(({ eventId }) => eventId)}::bigint[], ${money}::text[])
        as e (request_id, event_id, money)
    ),
    forgotten as (
      delete from request_words w using erasure
      where w.account_id = ${accountId} and w.id = erasure.request_id
    ),
    erased as (
      update requests r set version = r.version + 1, payer = ${erasedText},
        description = ${erasedText},
        state_comment = case when r.state_comment is not null then ${erasedText} end,
        details = coalesce((select json_object_agg(key, value) from json_each(r.details)
          where key = any(${impersonal}::text[])), '{}')
      from erasure
      where r.account_id = ${accountId} and r.id = erasure.request_id
      returning r.account_id, r.kind as entity, ${entityIdIn(tx)} as entity_id, r.version,
        erasure.event_id as id, r.kind || ${`.${erasedEvent}`}::text as type,
        ${at}::timestamptz as at, ${actor}::text as actor,
        (jsonb_strip_nulls(jsonb_build_object('state', r.state, 'external_reference', r.reference,
          'reason', ${reason}::text)) || erasure.money::jsonb)::text as data
    ),
    ${writeEvents(tx, 'erased')}
    select entity, entity_id, version from erased`;
}
