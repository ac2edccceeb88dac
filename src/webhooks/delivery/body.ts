import { hasNumber } from '../../events/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';

export interface EventRow {
  entity: string;
  entity_id: string;
  type: string;
  at: Temporal.Instant;
  data: Record<string, unknown>;
}

export interface EventBody {
  entity_name: string;
  /** The event without the entity's name: `paid`. */
  type: string;
  /** The full name, as in registrations: `payment_request.paid`. */
  event_type: string;
  /** As in the entity's GET: a number, or a QR's or batch's text. */
  entity_id: number | string;
  created_at: string;
  payload: { id: number | string } & Record<string, unknown>;
}

/** Returns the part of an event type's name after the dot. */
export const happened = (eventType: string): string => eventType.slice(eventType.indexOf('.') + 1);

export function eventBody(row: EventRow): EventBody {
  const id = hasNumber(row.entity) ? Number(row.entity_id) : row.entity_id;
  return {
    entity_name: row.entity,
    type: happened(row.type),
    event_type: row.type,
    entity_id: id,
    created_at: isoDateTime(row.at),
    payload: { id, ...row.data },
  };
}
