import type { ListPage } from '../platform/list-page.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy, foundOf } from '../platform/postgres/distributed/owners.ts';
import type { RequestRow } from './row.ts';
import type { RequestKind, RequestState } from './states.ts';
import { requestColumns } from './store.ts';

/** Filters for operators. Null is unfiltered. */
export interface RequestSearch {
  accountIds: readonly string[];
  kinds: readonly RequestKind[];
  /** The entire reference. */
  reference: string | null;
  /** Part of the payer's name, ignoring case and accents. */
  payer: string | null;
  state: RequestState | null;
  mandateId: number | null;
}

/** Finds requests across accounts, ordered by id, with their stored states. */
export async function searchRequests(
  sql: Queryable,
  search: RequestSearch,
  { after, limit }: ListPage,
): Promise<RequestRow[]> {
  const { accountIds, kinds, reference, payer, state, mandateId } = search;
  // Search each account by its indexes, then merge.
  const found = (owners: string[]) => sql<RequestRow[]>`
    select r.* from unnest(${owners}::text[]) as account (id)
    cross join lateral (
      select ${requestColumns(sql)} from requests r
        ${
          state === null
            ? sql``
            : sql`
        join request_states s on s.account_id = r.account_id and s.id = r.id ${alsoOwnedBy(sql, 's', owners)}`
        }
      where r.account_id = account.id ${alsoOwnedBy(sql, 'r', owners)} and r.kind = any(${[...kinds]}::text[]) and r.id > ${after}
        ${reference === null ? sql`` : sql`and r.reference = ${reference}`}
        ${payer === null ? sql`` : sql`and position(folded(${payer}) in folded(r.payer)) > 0`}
        ${state === null ? sql`` : sql`and s.kind = r.kind and s.state = ${state}`}
        ${mandateId === null ? sql`` : sql`and r.mandate_id = ${mandateId}`}
      order by r.id limit ${limit}
    ) r
    order by r.id limit ${limit}`;
  const rows = await foundOf(sql, accountIds, found);
  return rows.toSorted((a, b) => a.id - b.id).slice(0, limit);
}
