import { expect } from 'vitest';
import { formatDay } from '../../src/kernel/dates.ts';
import { allCodes } from '../../src/qr/index.ts';
import { expectErrorText } from '../harness/errors.ts';
import { type Answer, call, type TestService, testAccount } from '../harness/service.ts';

/** The day so many days from the service's today, as clients write it. */
export const inDays = (service: TestService, days: number): string =>
  formatDay(service.service.parts.clocks.business.today().add({ days }));

/** The day of a date-time, as the QR service writes it. */
export const dayIn = (time: string): string => time.slice(0, 10).split('-').reverse().join('-');

/** The caller's part of an id, with the demo account's prefix. */
export const full = (part: string): string => `${testAccount}-${part}`;

/** An item that is fine, due in ten days by the service's clock. */
export const itemOf = (
  service: TestService,
  id: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> => ({
  id,
  city: 'Córdoba',
  multiple_payment: false,
  external_reference: `ref ${id}`,
  description: 'Cuota de diciembre',
  first_total: 1430.5,
  first_due_date: inDays(service, 10),
  payer_name: 'Ana Pérez',
  ...fields,
});

/** The body of a batch. */
export const batchOf = (data: unknown[]): { total_count: number; data: unknown[] } => ({
  total_count: data.length,
  data,
});

/** Calls of the QR service, in short. */
export function callerOf(service: TestService, origin = service.origin) {
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    call(origin, method, path, { ...(body !== undefined && { body }), headers });
  return {
    send,
    save: (data: unknown[], headers = {}) => send('POST', '/save-qr-data', batchOf(data), headers),
    status: (id: string) => send('GET', `/status/${id}`),
    edit: (id: string, item: unknown) => send('POST', `/edit-qr/${id}`, batchOf([item])),
    editMany: (data: unknown[]) => send('POST', '/batch-edit-qr', batchOf(data)),
    remove: (id: string) => send('DELETE', `/delete-qr/${id}`),
    removeMany: (data: unknown[]) => send('DELETE', '/batch-delete-qr', batchOf(data)),
    pay: (id: string) => send('POST', `/pay-qr/${id}`),
    move: (body: Record<string, unknown>) => send('POST', '/sandbox/clock', body),
    refund: (requestId: number, body = {}) => send('POST', `/sandbox/refund/${requestId}`, body),
  };
}

const codeTable = new Map(allCodes.map((one) => [one.code, one]));

interface QrFault {
  index?: number;
  id?: string;
  field?: string;
  message: string;
}

/** An error as every one of the QR service must be; answers what it lists. */
export function expectQrError(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(codeTable.get(code)?.status).toBe(status);
  expect(answer.body.message).toMatch(/^\S.*\.$/s);
  expect(answer.text).not.toMatch(/ at .*\.[tj]s|node_modules|select |insert /);
  expectErrorText(answer.text);
  const told: (QrFault | string)[] = answer.body.errors;
  const errors = told.filter((one) => typeof one !== 'string');
  if (errors.length === 0) expect(told).toEqual([answer.body.message]);
  for (const { message } of errors) expect(message).toMatch(/^[A-Z].*\.$/s);
  return errors;
}

export interface QrEvent {
  entity: string;
  entity_id: string;
  version: number;
  type: string;
  queued: boolean;
  data: Record<string, unknown>;
}

/** The events of one QR, in order. */
export const eventsOf = ({ sql }: TestService, part: string): Promise<QrEvent[]> =>
  sql<QrEvent[]>`
    select e.entity, e.entity_id, e.version, e.type, e.data, o.event_id is not null as queued
    from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
    where e.entity_id = ${full(part)} order by e.version`;
