import { encodeBarcode } from '../../src/kernel/barcode.ts';
import { dayOf, formatDay } from '../../src/kernel/dates.ts';
import { type Centavos, centavos, toJsonNumber } from '../../src/kernel/money.ts';
import type { PaymentRequestRow } from '../../src/payment-requests/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { lastDueOf } from '../../src/requests/index.ts';
import type { Request } from './load.ts';

export type Row = PaymentRequestRow;

/** The account that the benchmark works in. */
export const accountId = 'BE5C0001';

/** The benchmark's fields, parsed. */
export interface Input {
  description: string;
  payer_name: string;
  payer_email: string | null;
  external_reference: string | null;
  first_due_date: Temporal.PlainDate;
  first_total: Centavos;
  second_due_date: Temporal.PlainDate | null;
  second_total: Centavos | null;
}

/** Builds the row that the service stores for such fields. */
export function newRow(accountId: string, id: number, now: Temporal.Instant, input: Input): Row {
  const barcode = encodeBarcode({
    format: '0448',
    client: id,
    firstDue: input.first_due_date,
    firstTotal: input.first_total,
    secondDue: input.second_due_date,
    secondTotal: input.second_total,
    collector: '5150000000',
  });
  return {
    account_id: accountId,
    id,
    kind: 'payment_request',
    state: 'pending',
    version: 1,
    created_at: now,
    reference: input.external_reference,
    payer: input.payer_name,
    description: input.description,
    due1: input.first_due_date,
    total1: input.first_total,
    due2: input.second_due_date,
    total2: input.second_total,
    last_due: lastDueOf(input.first_due_date, input.second_due_date),
    code: null,
    mandate_id: null,
    details: {
      barcode,
      ...(input.payer_email !== null && { payer_email: input.payer_email }),
    },
  };
}

/** Returns the data of the event `payment_request.created`. */
export const eventDataOf = (row: Row): Record<string, unknown> => ({
  state: row.state,
  ...(row.reference !== null && { external_reference: row.reference }),
  amount: toJsonNumber(row.total1),
});

export const inputOf = (reference: string, today: Temporal.PlainDate): Input => ({
  description: 'Cuota de diciembre\nPlan anual',
  payer_name: 'Ana Pérez',
  payer_email: 'ana.perez@example.com',
  external_reference: reference,
  first_due_date: today.add({ days: 10 }),
  first_total: centavos(143_050),
  second_due_date: today.add({ days: 20 }),
  second_total: centavos(150_000),
});

/** Returns a sample row, as a template for others. */
export function sampleRow(): Row {
  const now = wallClock.now();
  return newRow(accountId, 1, now, inputOf('contract', dayOf(now)));
}

function bodyOf(input: Input): string {
  return JSON.stringify({
    payment_request: {
      ...input,
      first_due_date: formatDay(input.first_due_date),
      first_total: toJsonNumber(input.first_total),
      second_due_date: input.second_due_date && formatDay(input.second_due_date),
      second_total: input.second_total && toJsonNumber(input.second_total),
    },
  });
}

const differentBodies = 1_280;

/** Creating calls, with references as diverse as those of real callers. */
export const creatingRequests = (key: string, today: Temporal.PlainDate): Request[] =>
  Array.from({ length: differentBodies }, (_unused, index) => ({
    method: 'POST',
    path: '/payment-request',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: bodyOf(inputOf(`contract-${index}`, today)),
  }));

const differentIds = 6_400;

/** Reading calls, spread evenly over a range of ids. */
export const readingRequests = (key: string, ids: { first: number; count: number }): Request[] =>
  Array.from({ length: differentIds }, (_unused, index) => {
    // A step without a common factor with the count visits all ids in scattered order.
    const id = ids.first + ((index * 7_919) % ids.count);
    return {
      method: 'GET',
      path: `/payment-request/${id}`,
      headers: { authorization: `Bearer ${key}` },
    };
  });
