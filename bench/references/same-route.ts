import { type HandwrittenOptions, serveHandwritten } from './handwritten/server.ts';

/**
 * The hand-written route with key check and JSON, but with a row from memory instead of the
 * database. The difference from the full hand-written route is the cost of reading.
 */
export const serveSameRoute = (options: HandwrittenOptions): Promise<string> =>
  serveHandwritten({ ...options, remember: true });
