import { erasedText } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { sealedUntil } from './check.ts';
import { type Evidence, namedRows, since, touchedRows } from './evidence.ts';

/**
 * Checks that the sealer's position was not lost or moved back, which would make the sealer seal a
 * changed row again as if an event had changed it. No event at or after the position has a seal,
 * and only the erasure of its texts seals an event twice. Reads the seals after `sinceNo`.
 */
export async function checkPosition(
  sql: Queryable,
  accountId: string,
  evidence: Evidence,
  sinceNo = 0,
): Promise<string[]> {
  const mark = await sealedUntil(sql, accountId);
  const later = mark === null ? sql`true` : since(sql, mark, null);
  const sealed = sql`
    select key from seals s, unnest(s.keys) as key
    where s.account_id = ${accountId} and s.kind = ${evidence.kind} and s.no > ${sinceNo}`;
  const types = Object.values(evidence.key);
  const parts = types.map((type, place) => `split_part(key, '|', ${place + 1})::${type}`);
  const twice = sql`
    select ${accountId}::text, ${sql.unsafe(parts.join(', '))}
    from (${sealed} group by key having count(*) > 1) as again`;
  // Few events await a seal, so hash these, and not the account's seals.
  const [found] = await sql<{ moved: boolean }[]>`
    with fresh as materialized (${touchedRows(sql, evidence, [accountId], later)}),
    sealed as materialized (${sealed} and key in (select key from fresh)),
    again as materialized (${namedRows(sql, evidence, [accountId], twice)})
    select exists (select 1 from sealed)
      or exists (select 1 from again where text not like ${`%${erasedText}%`}) as moved`;
  return found?.moved
    ? [
        `the sealer’s position is missing or was moved back: an ${evidence.kind} after it has a seal`,
      ]
    : [];
}
