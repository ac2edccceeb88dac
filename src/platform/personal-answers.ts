import { partsOf } from '../kernel/lists.ts';
import type { Queryable, Sql } from './postgres/connect.ts';
import { recordset } from './postgres/recordset.ts';

/**
 * Stored responses about a person: those about `ids` that contain one of `texts`, and those about
 * refunds.
 */
export interface PersonalAnswers {
  ids: readonly string[];
  texts: readonly string[];
  refundIds: readonly string[];
}

interface Named {
  path: string;
  key: string;
  id: string | null;
}

const answersAtOnce = 500;

const eraseThese = (tx: Queryable, accountId: string, found: readonly Named[]) => tx`
  update idempotency_keys k set body = json_build_object('id', case
      when found.id ~ '^[0-9]+$' then to_json(found.id::bigint) else to_json(found.id) end,
    'erased', true)::text
  from ${recordset(tx, 'found (path text, key text, id text)', found)}
  where k.account_id = ${accountId} and k.path = found.path and k.key = found.key`;

/**
 * Erases the payer from stored responses, in batches. The keys stay, so that a repeated call
 * creates nothing and returns only the id.
 */
export async function eraseAnswers(
  sql: Sql,
  accountId: string,
  { ids, texts, refundIds }: PersonalAnswers,
): Promise<void> {
  const rows = await sql<Named[]>`
    with theirs as materialized (
      select path, key, body from idempotency_keys
      where account_id = ${accountId} and (path like '%/refund' or exists (
        select from unnest(${[...texts]}::text[]) as text where position(text in body) > 0))
    ),
    -- The top-level id, because a debit's response also contains its mandate.
    named as materialized (select path, key, body::json->>'id' as id from theirs)
    select path, key, id from named where id = any(case
      when path like '%/refund' then ${[...refundIds]}::text[] else ${[...ids]}::text[] end)`;
  for (const some of partsOf(rows, answersAtOnce)) await eraseThese(sql, accountId, some);
}
