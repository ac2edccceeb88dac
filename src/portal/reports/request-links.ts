import type { Queryable } from '../../platform/postgres/connect.ts';
import { type RequestRow, readRequests } from '../../requests/index.ts';
import { segmentOf } from '../debits/places.ts';

/** Returns the path of a request's page, or null if it has none. */
function pathOf({ kind, id, code, details }: RequestRow): string | null {
  if (kind === 'payment_request') return `/requests/${id}`;
  if (kind in segmentOf) return `/debits/${id}`;
  const { static_id: staticId } = details as { static_id?: string };
  if (staticId !== undefined) return `/qr/static/${encodeURIComponent(staticId)}`;
  return code === null ? null : `/qr/${encodeURIComponent(code)}`;
}

/** Returns the paths of requests' pages, by request id. */
export async function requestPaths(
  sql: Queryable,
  accountId: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await readRequests(
    sql,
    [...new Set(ids)].map((id) => ({ accountId, id })),
  );
  return new Map(
    rows.flatMap((row) => {
      const path = row && pathOf(row);
      return row && path !== null ? [[row.id, path] as const] : [];
    }),
  );
}
