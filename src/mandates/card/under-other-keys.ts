import type { Queryable } from '../../platform/postgres/connect.ts';
import { countUpTo } from '../../platform/postgres/count.ts';

/** Numbers and transport keys that another key than this one holds; more than `most` not counted. */
export const countUnderOtherKeys = (sql: Queryable, keyId: string, most: number): Promise<number> =>
  countUpTo(
    sql,
    most,
    // Two ranges, each with the index: inequality has none.
    sql`
      (select 1 from mandates where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandates where card_key_id > ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id > ${keyId} limit ${most})
      union all (select 1 from card_transport_keys where vault_key_id <> ${keyId} limit ${most})`,
  );
