import { isoDateTime } from '../../kernel/dates.ts';

/** What is told of an event, as it is stored. */
export interface EventRow {
  entity: string;
  entity_id: string;
  type: string;
  at: Temporal.Instant;
  data: Record<string, unknown>;
}

/** What a receiver gets, and what the feed of events shows. */
export interface EventBody {
  entity_name: string;
  type: string;
  entity_id: string;
  created_at: string;
  payload: Record<string, unknown>;
}

export const eventBody = (row: EventRow): EventBody => ({
  entity_name: row.entity,
  type: row.type,
  entity_id: row.entity_id,
  created_at: isoDateTime(row.at),
  payload: row.data,
});
