import { joinAccounts } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { StaticRow } from './store.ts';

/** Lists an account's static QRs, newest first, with a number below `before`. */
export const listStatics = (
  sql: Queryable,
  accountId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<StaticRow[]> => sql<StaticRow[]>`
  select s.*, a.cuit from static_qrs s ${joinAccounts(sql, 's')}
  where s.account_id = ${accountId} and s.number < ${before ?? Number.MAX_SAFE_INTEGER}
  order by s.number desc limit ${limit}`;
