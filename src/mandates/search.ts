import type { ListPage } from '../platform/list-page.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy, foundOf } from '../platform/postgres/distributed/owners.ts';
import { type ListRequest, readPage } from '../platform/postgres/lists.ts';
import type { MandateKind, MandateRow, MandateState } from './mandate.ts';
import { mandateColumns } from './store.ts';

/** Filters for operators. Null is unfiltered. */
export interface MandateSearch {
  accountIds: readonly string[];
  kind: MandateKind | null;
  id: number | null;
  reference: string | null;
  /** Part of the payer's or holder's name, ignoring case. */
  name: string | null;
  /** The holder's DNI, CUIT or CUIL, digits only. */
  idNumber: string | null;
  state: MandateState | null;
}

/** Finds mandates across accounts, in order of id. */
export async function searchMandates(
  sql: Queryable,
  { accountIds, kind, id, reference, name, idNumber, state }: MandateSearch,
  { after, limit }: ListPage,
): Promise<MandateRow[]> {
  const named = sql`(position(folded(${name}) in folded(m.payer)) > 0
    or position(folded(${name}) in folded(m.holder)) > 0)`;
  const found = (owners: string[]) => sql<MandateRow[]>`
    select m.* from unnest(${owners}::text[]) as account (id)
    cross join lateral (
      select ${mandateColumns(sql)} from mandates m
      where m.account_id = account.id ${alsoOwnedBy(sql, 'm', owners)} and m.id > ${after}
        ${kind === null ? sql`` : sql`and m.kind = ${kind}`}
        ${id === null ? sql`` : sql`and m.id = ${id}`}
        ${reference === null ? sql`` : sql`and m.reference = ${reference}`}
        ${name === null ? sql`` : sql`and ${named}`}
        ${idNumber === null ? sql`` : sql`and m.details->>'holder_id_number' = ${idNumber}`}
        ${state === null ? sql`` : sql`and m.state = ${state}`}
      order by m.id limit ${limit}
    ) m
    order by m.id, m.kind limit ${limit}`;
  const rows = await foundOf(sql, accountIds, found);
  return rows.toSorted((a, b) => a.id - b.id).slice(0, limit);
}

/** Filters of the lists. Null is unfiltered. Days are inclusive. */
export interface MandateFilters {
  id: number | null;
  state: string | null;
  external_reference: string | null;
  holder: string | null;
  createdFrom: Temporal.Instant | null;
  createdBefore: Temporal.Instant | null;
}

const alongOf = (sql: Queryable, f: MandateFilters) => {
  if (f.id !== null) return sql`id`;
  if (f.createdFrom !== null || f.createdBefore !== null) return sql`created_at`;
  return f.state === null && f.external_reference === null && f.holder === null
    ? sql`place`
    : sql`id`;
};

/**
 * Lists an account's mandates of a kind in commit order. Returns null if the cursor's id is not in
 * the list.
 */
export async function readMandatePage(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: MandateKind },
  f: MandateFilters,
  page: ListRequest,
): Promise<{ rows: MandateRow[]; totalCount: number | null } | null> {
  const filters = [
    f.id === null ? null : sql`id = ${f.id}`,
    f.state === null ? null : sql`state = ${f.state}`,
    f.external_reference === null ? null : sql`reference = ${f.external_reference}`,
    f.holder === null ? null : sql`folded(holder) = folded(${f.holder})`,
    f.createdFrom === null ? null : sql`created_at >= ${f.createdFrom}::timestamptz`,
    f.createdBefore === null ? null : sql`created_at < ${f.createdBefore}::timestamptz`,
  ];
  const listing = {
    columns: mandateColumns(sql),
    list: 'mandates',
    table: sql`mandates m`,
    accountId,
    owner: sql`account_id = ${accountId} and kind = ${kind}`,
    filters,
    along: alongOf(sql, f),
  } as const;
  return await readPage(sql, listing, page);
}

/** Returns which of the references are in use, each with its last mandate. */
export const findMandateReferences = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: MandateKind },
  references: readonly string[],
): Promise<{ reference: string; id: number }[]> => sql<{ reference: string; id: number }[]>`
  select wanted.reference, found.id
  from unnest(${[...references]}::text[]) as wanted (reference)
  cross join lateral (
    select id from mandates
    where account_id = ${accountId} and kind = ${kind} and reference = wanted.reference
    order by id desc limit 1
  ) as found`;
