import type { Queryable } from '../platform/postgres/connect.ts';
import { countUpTo } from '../platform/postgres/count.ts';

/** The count stops at this number. */
const most = 1_000;

/** Counts an account's mandates that expire unsigned before a moment, up to 1,000. */
export const countUnsigned = (
  sql: Queryable,
  accountId: string,
  before: Temporal.Instant,
): Promise<number> =>
  countUpTo(
    sql,
    most,
    sql`
      select 1 from mandates
      where account_id = ${accountId} and kind in ('adhesion', 'card_adhesion')
        and state = 'pending_to_sign' and sign_before <= ${before}::timestamptz`,
  );
