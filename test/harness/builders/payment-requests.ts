import type { Sql } from '../../../src/platform/postgres/connect.ts';
import type { TestService } from '../service.ts';
import { inDays } from './clock.ts';

/** Returns a valid body for a payment request, due in ten days by the service's clock. */
export function paymentRequestBody(
  service: TestService,
  fields: Record<string, unknown> = {},
): { payment_request: Record<string, unknown> } {
  return {
    payment_request: {
      description: 'Cuota de diciembre',
      first_due_date: inDays(service, 10),
      first_total: 1430.5,
      payer_name: 'Ana Pérez',
      ...fields,
    },
  };
}

/** Counts the rows that creating calls stored. */
export async function stored(
  sql: Sql,
): Promise<{ requests: number; events: number; keys: number }> {
  const [row] = await sql<{ requests: number; events: number; keys: number }[]>`
    select (select count(*) from requests) as requests,
      (select count(*) from events where entity = 'payment_request') as events,
      (select count(*) from idempotency_keys) as keys`;
  return row ?? { requests: -1, events: -1, keys: -1 };
}
