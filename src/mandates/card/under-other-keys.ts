import type { Queryable } from '../../platform/postgres/connect.ts';
import { countUpTo } from '../../platform/postgres/count.ts';

/**
 * Counts card numbers and transport keys that are encrypted under any key but this one, up to
 * `most`.
 */
export const countUnderOtherKeys = (sql: Queryable, keyId: string, most: number): Promise<number> =>
  countUpTo(
    sql,
    most,
    // Two range conditions, because an inequality cannot use the index.
    sql`
      (select 1 from mandates where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandates where card_key_id > ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id > ${keyId} limit ${most})
      union all (select 1 from card_transport_keys where vault_key_id <> ${keyId} limit ${most})`,
  );
