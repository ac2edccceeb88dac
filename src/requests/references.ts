import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestKind } from './states.ts';

/** A request that has one of the account's own names. */
export interface Referenced {
  reference: string;
  id: number;
}

/** Of these names of the account's own, those that requests of a kind have: the last of each. */
export async function findReferences(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: RequestKind },
  references: readonly string[],
): Promise<Referenced[]> {
  // Indexes of lists leave out QRs, which the planner has to see.
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
