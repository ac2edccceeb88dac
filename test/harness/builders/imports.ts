import { expect, vi } from 'vitest';
import { formatDay } from '../../../src/kernel/dates.ts';
import type { Answer, TestService } from '../service.ts';

const dueDate = formatDay(Temporal.PlainDate.from('2098-12-31'));

/** Returns a valid item. `id` excludes the account's prefix. */
export const item = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  city: 'ROSARIO',
  multiple_payment: false,
  external_reference: `fac-${id}`,
  description: 'Expensas de noviembre',
  first_total: 1234.5,
  first_due_date: dueDate,
  payer_name: 'María José Pérez',
  ...fields,
});

export const items = (count: number, prefix: string) =>
  Array.from({ length: count }, (_none, nth) => item(`${prefix}-${nth}`));

export const documentOf = (data: unknown[], members: Record<string, unknown> = {}): string =>
  JSON.stringify({ total_count: data.length, data, ...members });

export interface Opened {
  id: string;
  url: string;
}

/** Requests an upload address. */
export async function open({ call }: TestService): Promise<Opened> {
  const { status, body } = await call('GET', '/bucket-url');
  expect(status).toBe(200);
  return body;
}

/** Uploads a document with PUT, without a key. */
export const put = async (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(url, { method: 'PUT', body, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? null : JSON.parse(text),
  };
};

export const resultOf = (service: TestService, id: string, page = 1): Promise<Answer> =>
  service.call('GET', `/batch-result/${id}/${page}`);

/** Returns the first page of a batch's result once the batch has ended. */
export async function ended(service: TestService, id: string, seconds = 20) {
  return await vi.waitFor(
    async () => {
      const { body } = await resultOf(service, id);
      expect(['completed', 'failed']).toContain(body.state);
      return body;
    },
    { timeout: seconds * 1000, interval: 50 },
  );
}

/** Uploads a document. Returns the first page of its result. */
export async function imported(service: TestService, document: string) {
  const { id, url } = await open(service);
  expect(await put(url, document)).toMatchObject({ status: 200, text: '', body: null });
  return await ended(service, id);
}
