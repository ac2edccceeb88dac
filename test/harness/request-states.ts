import type { Queryable } from '../../src/platform/postgres/connect.ts';

/** Writes the states of requests that a test inserted by hand, as every statement of ours does. */
export const keepStates = (sql: Queryable) => sql`
  insert into request_states (account_id, id, kind, state, last_due, place)
  select account_id, id, kind, state, last_due, place from requests
  on conflict (account_id, id) do nothing`;
