import { crc16 } from '../../../src/kernel/emv.ts';
import { type Answer, call, type TestService, testAccount } from '../service.ts';
import { inDays } from './clock.ts';

/** Returns a QR's full id: the demo account's prefix, then the caller's part. */
export const full = (part: string): string => `${testAccount}-${part}`;

/** Returns a valid item, due in ten days by the service's clock. */
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

/** Returns the body of a batch. */
export const batchOf = (data: unknown[]): { total_count: number; data: unknown[] } => ({
  total_count: data.length,
  data,
});

/** Returns shortcuts for calls of the QR service. */
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

export interface QrEvent {
  entity: string;
  entity_id: string;
  version: number;
  type: string;
  queued: boolean;
  data: Record<string, unknown>;
}

/** Returns the events of one QR, in order. */
export const eventsOf = ({ sql }: TestService, part: string): Promise<QrEvent[]> =>
  sql<QrEvent[]>`
    select e.entity, e.entity_id, e.version, e.type, e.data, o.event_id is not null as queued
    from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
    where e.entity_id = ${full(part)} order by e.version`;

/** Replaces the QR's id in its code. Recomputes the checksum. */
export const renamed = (payload: string, from: string, to: string): string => {
  const size = (text: string): string => String(text.length).padStart(2, '0');
  const object = (id: string): string => `62${size(`01${size(id)}${id}`)}01${size(id)}${id}`;
  if (!payload.includes(object(from))) throw new Error(`${from} is not in ${payload}`);
  const covered = payload.replace(object(from), object(to)).slice(0, -4);
  return covered + crc16(covered);
};
