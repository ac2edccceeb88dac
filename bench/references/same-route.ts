import { type HandwrittenOptions, serveHandwritten } from './handwritten/server.ts';

/**
 * The route by hand with its key check and JSON, but with a row from memory in place of the
 * database: what lies between it and the route by hand is the price of reading.
 */
export const serveSameRoute = (options: HandwrittenOptions): Promise<string> =>
  serveHandwritten({ ...options, remember: true });
