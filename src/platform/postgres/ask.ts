import type { Client, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * Sends a query by callback. With the driver's promises, results outlive the young generation, and
 * the garbage collector pauses the process to move them (docs/explanation/performance.md).
 */
export const ask = <R extends QueryResultRow>(
  client: Client,
  query: QueryConfig,
): Promise<QueryResult<R>> =>
  new Promise((resolve, reject) => {
    client.query<R>(query, (error: Error | null, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
