import type { Base } from '../../platform/base.ts';
import { batcher } from '../../platform/batcher.ts';
import { type RequestKey, type RequestRow, readRequests } from '../../requests/index.ts';
import type { ResultRow } from './result.ts';
import { readResults } from './store.ts';

/** A request with all that happened to its money. */
export interface FoundRequest {
  row: RequestRow;
  results: ResultRow[];
}

export type FindRequest = (key: RequestKey) => Promise<FoundRequest | null>;

/** Reads by id, those that wait at the same time in one go: request and results. */
export function requestFinder({ sql }: Base): FindRequest {
  const read = async (keys: RequestKey[]): Promise<(FoundRequest | null)[]> => {
    const rows = await readRequests(sql, keys);
    // Each result raised its request's version, so one that never changed has none to look for.
    const changed = keys.filter((_key, index) => (rows[index]?.version ?? 1) > 1);
    const results = changed.length > 0 ? await readResults(sql, changed) : [];
    const name = (accountId: string, id: number) => `${accountId} ${id}`;
    const byRequest = Map.groupBy(results, (row) => name(row.account_id, row.request_id));
    return rows.map(
      (row) => row && { row, results: byRequest.get(name(row.account_id, row.id)) ?? [] },
    );
  };
  return batcher(read, { maxBatch: 200, maxQueue: 10_000, parallel: 1 });
}
