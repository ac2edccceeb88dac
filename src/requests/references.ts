import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestKind } from './states.ts';

/** A request with one of the account's references. */
export interface Referenced {
  reference: string;
  id: number;
}

/** Returns which of the references are in use, each with its last request of the kind. */
export async function findReferences(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: RequestKind },
  references: readonly string[],
): Promise<Referenced[]> {
  // Indexes of lists exclude QRs, so the planner must see the kind.
  return await sql<Referenced[]>`
    select wanted.reference, found.id
    from unnest(${[...references]}::text[]) as wanted (reference)
    cross join lateral (
      select id from requests
      where account_id = ${accountId} and kind = ${kind} and kind <> 'qr'
        and reference = wanted.reference
      order by id desc limit 1
    ) as found`;
}
