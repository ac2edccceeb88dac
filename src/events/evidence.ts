import type { Evidence } from '../seals/index.ts';

/** An event never changes, but that the feed gives it its place. */
export const eventEvidence: Evidence = {
  kind: 'event',
  from: 'events',
  key: { entity: 'text', entity_id: 'text', version: 'int' },
  columns: ['id', 'type', 'at', 'actor', 'data::text', 'xid'],
  touched: 'select entity, entity_id, version from touched',
  settled: true,
  strict: true,
};
