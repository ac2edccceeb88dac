import type { Queryable } from '../../platform/postgres/connect.ts';

/** How statements of other nouns read attempts. */

type Fragment = ReturnType<Queryable>;

/** Attempts that ended, whatever they came to, as `attempt`. */
export const attemptsDone = (sql: Queryable): Fragment => sql`
  (select account_id, id from attempts where state = 'done') as attempt`;
