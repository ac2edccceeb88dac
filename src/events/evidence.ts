import type { Evidence } from '../seals/index.ts';

/** An event never changes, except for its position in the feed. */
export const eventEvidence: Evidence = {
  kind: 'event',
  from: 'events',
  key: { entity: 'text', entity_id: 'text', version: 'int' },
  columns: ['id', 'type', 'at', 'actor', 'data::text', 'xid'],
  touched: { themselves: true },
  settled: true,
  strict: true,
};

/** The operator's events never change. */
export const operatorEventEvidence: Evidence = {
  kind: "operator's event",
  from: 'operator_events',
  key: { id: 'bigint' },
  columns: ['entity', 'entity_id', 'type', 'at', 'actor', 'data::text', 'xid'],
  touched: { themselves: true },
  settled: true,
  strict: true,
};
