import { hasNumber } from '../../events/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';

/** The stored data of an event. */
export interface EventRow {
  entity: string;
  entity_id: string;
  type: string;
  at: Temporal.Instant;
  data: Record<string, unknown>;
}

/** The body of a delivery. */
export interface EventBody {
  entity_name: string;
  /** The event without the entity's name: `paid`. */
  type: string;
  /** The whole name, by which webhooks are registered: `payment_request.paid`. */
  event_type: string;
  /** As the entity's GET answers it: a number, or the text that a QR or batch has. */
  entity_id: number | string;
  created_at: string;
  payload: { id: number | string } & Record<string, unknown>;
}

/** The part of an event type's name after the dot. */
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
