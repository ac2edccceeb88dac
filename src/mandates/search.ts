import type { ListPage } from '../platform/list-page.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { MandateKind, MandateRow, MandateState } from './mandate.ts';
import { mandateColumns } from './store.ts';

/** What the operator looks for, over the accounts that he names; null: not asked for. */
export interface MandateSearch {
  accountIds: readonly string[];
  kind: MandateKind | null;
  id: number | null;
  reference: string | null;
  /** Part of the name of the payer or the holder, in any case. */
  name: string | null;
  /** DNI, CUIT or CUIL of who holds the bank account, digits only. */
  idNumber: string | null;
  state: MandateState | null;
}

/** Finds mandates over accounts, by id. */
export async function searchMandates(
  sql: Queryable,
  { accountIds, kind, id, reference, name, idNumber, state }: MandateSearch,
  { after, limit }: ListPage,
): Promise<MandateRow[]> {
  const named = sql`(position(lower(${name}) in lower(m.payer)) > 0
    or position(lower(${name}) in lower(m.holder)) > 0)`;
  return await sql<MandateRow[]>`
    select m.* from unnest(${[...accountIds]}::text[]) as account (id)
    cross join lateral (
      select ${mandateColumns(sql)} from mandates m
      where m.account_id = account.id and m.id > ${after}
        ${kind === null ? sql`` : sql`and m.kind = ${kind}`}
        ${id === null ? sql`` : sql`and m.id = ${id}`}
        ${reference === null ? sql`` : sql`and m.reference = ${reference}`}
        ${name === null ? sql`` : sql`and ${named}`}
        ${idNumber === null ? sql`` : sql`and m.details->>'holder_id_number' = ${idNumber}`}
        ${state === null ? sql`` : sql`and m.state = ${state}`}
      order by m.id limit ${limit}
    ) m
    order by m.id, m.kind limit ${limit}`;
}
