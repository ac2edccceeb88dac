import type { Base } from '../../platform/base.ts';
import { batcher, byAccount } from '../../platform/batcher.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type RequestKey, type RequestRow, readRequests } from '../../requests/index.ts';
import type { ResultRow } from './result.ts';
import { readResults } from './store.ts';

export interface FoundRequest<Row extends RequestRow = RequestRow> {
  row: Row;
  results: ResultRow[];
}

export type FindRequest = (key: RequestKey) => Promise<FoundRequest | null>;

const nameOf = (accountId: string, id: number): string => `${accountId} ${id}`;

/** Adds results to requests. One statement reads those of all requests that may have any. */
export async function withResults<Row extends RequestRow>(
  sql: Queryable,
  rows: Row[],
): Promise<FoundRequest<Row>[]> {
  // Each result raises the version, so a request at version 1 has none.
  const changed = rows
    .filter(({ version }) => version > 1)
    .map((row) => ({ accountId: row.account_id, id: row.id }));
  const results = changed.length > 0 ? await readResults(sql, changed) : [];
  const byRequest = Map.groupBy(results, (row) => nameOf(row.account_id, row.request_id));
  return rows.map((row) => ({
    row,
    results: byRequest.get(nameOf(row.account_id, row.id)) ?? [],
  }));
}

/** Finds requests by id, with their results. Concurrent reads share a statement. */
export function requestFinder({ sql }: Base): FindRequest {
  const read = async (keys: RequestKey[]): Promise<(FoundRequest | null)[]> => {
    const rows = await readRequests(sql, keys);
    const found = await withResults(
      sql,
      rows.filter((row) => row !== null),
    );
    let next = 0;
    return rows.map((row) => (row === null ? null : (found[next++] ?? null)));
  };
  return batcher(
    read,
    { maxBatch: 200, maxQueue: 10_000, parallel: 1 },
    byAccount(sql, ({ accountId }) => accountId),
  );
}
