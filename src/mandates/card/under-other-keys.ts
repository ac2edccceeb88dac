import type { Queryable } from '../../platform/postgres/connect.ts';

/** Numbers and transport keys that another key than this one holds; more than `most` not counted. */
export async function countUnderOtherKeys(
  sql: Queryable,
  keyId: string,
  most: number,
): Promise<number> {
  // Below and above it, each by the index: unequal has none.
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      (select 1 from mandates where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandates where card_key_id > ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id < ${keyId} limit ${most})
      union all (select 1 from mandate_instruments where card_key_id > ${keyId} limit ${most})
      union all (select 1 from card_transport_keys where vault_key_id <> ${keyId} limit ${most})
      limit ${most}
    ) as old`;
  return row?.count ?? 0;
}
