import type { Queryable } from '../platform/postgres/connect.ts';

/** What a write of this folder leaves as an event; main gives the writer. */
export interface AuditEntry {
  accountId: string;
  entity: 'account' | 'api_key';
  entityId: string;
  version: number;
  type: string;
  at: Temporal.Instant;
  /** What changed; nothing where the type says it all. */
  data?: Record<string, unknown>;
}

export type WriteAudit = (sql: Queryable, entry: AuditEntry) => Promise<void>;
