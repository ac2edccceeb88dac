import type { Queryable } from '../platform/postgres/connect.ts';

// `request_states` repeats each request's state for searches, so that no index of `requests`
// includes the state and its changes stay cheap. The statement that writes a request also writes
// this row, under the request's lock.

type Fragment = ReturnType<Queryable>;

/** Returns the columns that an insert of requests must return for `insertStates`. */
export const stateColumns = (sql: Queryable): Fragment => sql`
  account_id, id, kind, state, last_due, place`;

/** Inserts new requests' states, from the rows their insert returned. */
export const insertStates = (sql: Queryable, from: string): Fragment => sql`
  new_states as (
    insert into request_states (account_id, id, kind, state, last_due, place)
    select ${stateColumns(sql)} from ${sql(from)}
  )`;

/**
 * Updates moved requests' states if they differ, from a relation `(account_id, request_id, state,
 * last_due, was_state, was_due)`.
 */
export const updateStates = (
  sql: Queryable,
  from: string,
  accountIds: readonly string[],
): Fragment => sql`
  changed_states as (
    select account_id, request_id, state, last_due from ${sql(from)}
    where state <> was_state or last_due <> was_due
  ),
  kept_states as (
    update request_states s set state = c.state, last_due = c.last_due
    from changed_states c
    where s.account_id = any(${[...accountIds]}::text[])
      and s.account_id = c.account_id and s.id = c.request_id
  )`;

/** Selects requests by their states alone, as the relation `r`. */
export const statesAlone = (sql: Queryable): Fragment => sql`request_states r`;

/** Selects requests by their states, joined with the columns of list filters. */
export const statesJoined = (sql: Queryable): Fragment => sql`
  (select s.account_id, s.kind, s.state, s.last_due, s.id, s.place, r.created_at, r.reference,
      r.payer, r.due1, r.total1, r.state_comment
    from request_states s
    join requests r on r.account_id = s.account_id and r.kind = s.kind and r.id = s.id
    where s.kind <> 'qr' and r.kind <> 'qr') as r`;
