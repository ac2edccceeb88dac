import type { Client, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * Sends a query. By a callback: what a query brought whose promise is the driver's own outlives the
 * young generation, and all of the process waits while the collector takes that (docs/explanation/performance.md).
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
