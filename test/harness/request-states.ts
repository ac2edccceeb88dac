import type { Queryable } from '../../src/platform/postgres/connect.ts';

/**
 * Writes the states of requests that a test inserted by SQL, as every statement of the service
 * does.
 */
export const keepStates = (sql: Queryable) => sql`
  insert into request_states (account_id, id, kind, state, last_due, place)
  select account_id, id, kind, state, last_due, place from requests
  on conflict (account_id, id) do nothing`;
