import type { Queryable } from '../../platform/postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

/** Selects ended attempts, as `attempt`. */
export const attemptsDone = (sql: Queryable): Fragment => sql`
  (select account_id, id from attempts where state = 'done') as attempt`;
