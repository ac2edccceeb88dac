import { createAuthenticator } from '../../src/accounts/index.ts';
import { httpLimitsOf, readConfig } from '../../src/config.ts';
import type { Found } from '../../src/payment-requests/get.ts';
import { paymentRequestRoutes } from '../../src/payment-requests/http.ts';
import { createClocks } from '../../src/platform/clocks.ts';
import { endpointsOn } from '../../src/platform/http/endpoint.ts';
import { createHttp } from '../../src/platform/http/server.ts';
import { createLinks } from '../../src/platform/links.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMemoryBudget } from '../../src/platform/memory-budget.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { connect } from '../../src/platform/postgres/connect.ts';
import { sampleRow } from '../harness/rows.ts';
import { oneKey } from './one-key.ts';

export interface SameRouteOptions {
  databaseUrl: string;
}

const none = (): never => {
  throw new Error('The benchmark only gets.');
};

/**
 * The service's own GET with key, rules, log and measures, but with a row from memory in place of
 * the database: what lies between it and the service is the price of reading.
 */
export async function serveSameRoute({ databaseUrl }: SameRouteOptions): Promise<string> {
  const sql = connect(databaseUrl, { max: 2, applicationName: 'same route' });
  const clocks = await createClocks(sql);
  const { authenticate } = createAuthenticator(sql, clocks.wall, {
    begin: () => null,
    wasRight() {},
  });
  const links = createLinks('http://127.0.0.1', oneKey);
  const app = createHttp({
    log: createLog('info'),
    metrics: createMetrics(),
    wall: clocks.wall,
    ...httpLimitsOf(readConfig({})),
    budget: createMemoryBudget(192 * 1024 * 1024),
  });
  app.addSchema({ $id: 'Error', type: 'object' });
  const found: Found = { row: sampleRow(), results: [] };
  const endpoints = endpointsOn(app, {
    authenticate,
    limit: () => ({ allowed: true, limit: 0, remaining: 0, resetSeconds: 0 }),
    keep: async (_claim, answer) => answer,
    recall: async () => null,
    enter: () => () => {},
    writing: (_accountId, call) => call(),
    slowly: (_account, call) => call(),
  });
  const get = async () => ({ ...found, retentions: null });
  paymentRequestRoutes(
    endpoints,
    { create: none, list: none, get, barcodeFormat: '0448' },
    { links, clocks, offered: [], plansFor: none },
  );
  return await app.listen({ host: '127.0.0.1', port: 0 });
}
