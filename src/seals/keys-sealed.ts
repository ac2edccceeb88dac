import type { Queryable } from '../platform/postgres/connect.ts';
import type { Fragment } from './evidence.ts';

/** Keys of an account's rows of one kind by the seals that hold them, as `(no, key)`, in their order. */
export const sealedKeys = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: string },
  { after, most }: { after: Fragment; most: number | null },
): Fragment => sql`
  select no, unnest(keys) as key from (
    select no, keys from seals
    where account_id = ${accountId} and kind = ${kind} and no > ${after}
    order by no limit ${most}
  ) as sealed`;

/** Whether an account `a` has a seal of a kind behind the one that a query tells. */
export const isSealedAfter = (sql: Queryable, kind: string, after: Fragment): Fragment => sql`
  exists (select from seals s where s.account_id = a.account_id and s.kind = ${kind}
    and s.no > ${after})`;
