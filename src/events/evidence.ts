import { erasedEvent } from '../platform/person.ts';
import type { Evidence } from '../seals/index.ts';

/**
 * An event never changes, except for its position in the feed, and for its free texts when its
 * payer is erased. The erasure seals it again.
 */
export const eventEvidence: Evidence = {
  kind: 'event',
  from: 'events',
  key: { entity: 'text', entity_id: 'text', version: 'int' },
  columns: ['id', 'type', 'at', 'actor', 'data::text', 'xid'],
  touched: { themselves: true },
  settled: true,
  strict: true,
};

/**
 * Events that erase a payer. Only the erasure itself seals them, never the sealer, so an event
 * inserted by SQL stays unsealed. The first event of an account has such a seal from the start,
 * which shows that all later erasures need one.
 */
export const erasureEvidence: Evidence = {
  ...eventEvidence,
  kind: 'erasure',
  from: `(select * from events
    where type like '%.${erasedEvent}' or entity = 'account' and version = 1)`,
  touched: 'select account_id, entity, entity_id, version from touched where false',
  joined: 'accounts',
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
