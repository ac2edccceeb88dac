import { formatDay } from '../../src/kernel/dates.ts';
import { centavos } from '../../src/kernel/money.ts';
import { Void } from '../cases/case.ts';
import { apiKey, type Lab, type Service } from './lab.ts';
import { accountId, sampleRow } from './rows.ts';
import { type AnyRow, copyIn, requestLines, reserveIds } from './store.ts';

/** Items for one batch or document; ids differ by prefix and place. */
export const qrItems = (prefix: string, count: number, today: Temporal.PlainDate) =>
  Array.from({ length: count }, (_unused, index) => ({
    id: `${prefix}-${index}`,
    city: 'ROSARIO',
    multiple_payment: false,
    external_reference: `contract-${index}`,
    description: 'Expensas de noviembre, unidad funcional 12',
    first_total: 1234.5,
    first_due_date: formatDay(today.add({ days: 10 })),
    payer_name: 'María José Pérez',
  }));

export const documentOf = (data: readonly unknown[]): string =>
  JSON.stringify({ total_count: data.length, data });

/** Calls with the benchmark's key; any status other than 2xx voids the run. */
export async function call(
  { origin }: Service,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Void(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Returns the milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Returns the milliseconds that COPY takes for the rows of such items, in one transaction. */
export async function copyQrs({ sql }: Lab, prefix: string, count: number): Promise<number> {
  const first = await reserveIds(sql, 'request_ids', count);
  const { due2: _due2, total2: _total2, ...like } = sampleRow();
  const rows = Array.from(
    { length: count },
    (_unused, index): AnyRow => ({
      ...like,
      id: first + index,
      kind: 'qr',
      reference: `contract-${index}`,
      description: 'Expensas de noviembre, unidad funcional 12',
      payer: 'María José Pérez',
      total1: centavos(123_450),
      due2: null,
      total2: null,
      last_due: like.due1,
      code: `${accountId}-${prefix}-${index}`,
      details: { city: 'ROSARIO', multiple_payment: false },
    }),
  );
  const requests = requestLines(rows);
  return await timed(() => copyIn(sql, { requests, events: [] }));
}

/** Voids the run unless all QRs with a prefix exist in the expected state. */
export async function checkQrs(
  { sql }: Lab,
  prefix: string,
  wanted: { count: number; state: string },
): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from requests
    where account_id = ${accountId} and kind = 'qr' and state = ${wanted.state}
      and code like ${`${accountId}-${prefix}-%`}`;
  if (row?.count === wanted.count) return;
  throw new Void(`${row?.count} QRs ${prefix}-* are ${wanted.state}, not ${wanted.count}.`);
}
