import type { Queryable } from '../platform/postgres/connect.ts';
import type { RowOutcome } from './store-pages.ts';

export interface ImportOrigin {
  id: number;
  fileName: string;
  row: number;
}

interface Imported {
  accountId: string;
  kind: string;
  id: number;
  createdAt: Temporal.Instant;
}

/** Bounds the search, because outcomes have no index by entity. */
const importsSearched = 20;

/** Returns the import that created an entity, or null. Searches the last 20 uploaded before it. */
export async function importOriginOf(
  sql: Queryable,
  { accountId, kind, id, createdAt }: Imported,
): Promise<ImportOrigin | null> {
  const [found] = await sql<{ id: number; file_name: string; outcomes: string }[]>`
    select i.id, i.file_name, p.outcomes
    from (
      select id, file_name from imports
      where account_id = ${accountId} and kind = ${kind} and created > 0
        and created_at <= ${createdAt}::timestamptz
      order by id desc limit ${importsSearched}
    ) i
    join import_pages p on p.account_id = ${accountId} and p.import_id = i.id
    where p.outcomes like ${`%,${id},[%`}
    order by i.id desc limit 1`;
  if (!found) return null;
  const outcomes: RowOutcome[] = JSON.parse(found.outcomes);
  const row = outcomes.find(([, made]) => made === id)?.[0];
  return row === undefined ? null : { id: found.id, fileName: found.file_name, row };
}
