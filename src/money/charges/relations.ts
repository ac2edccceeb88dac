import type { Queryable } from '../../platform/postgres/connect.ts';

/** Attempts for the statements of other nouns. */

type Fragment = ReturnType<Queryable>;

/** Attempts that ended, whatever they came to, as `attempt`. */
export const attemptsDone = (sql: Queryable): Fragment => sql`
  (select account_id, id from attempts where state = 'done') as attempt`;
