import type { Actor } from './actor.ts';
import type { Clocks } from './clocks.ts';
import type { Log } from './log.ts';
import type { Sql } from './postgres/connect.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Reads } from './replica/reads.ts';

/** Parts that the whole service needs, created once at startup. */
export interface Base {
  sql: Sql;
  /** Reads that a replica may serve. */
  reads: Reads;
  clocks: Clocks;
  log: Log;
  /**
   * Ids of requests of every kind, which share a sequence, because reports call them all
   * request_id.
   */
  requestIds: IdBlocks;
  /** Ids of results, journals, attempts, events and others. Mandates have their own sequences. */
  recordIds: IdBlocks;
}

/**
 * The actor of a change, and the parts that its verb needs. For verbs that run outside of calls,
 * such as those of commands.
 */
export type Acting = Pick<Base, 'sql' | 'clocks' | 'recordIds'> & { actor: Actor };

/** The caller and its account. Verbs that serve calls take it as an argument. */
export interface Ctx {
  accountId: string;
  /** Stored with each event. */
  actor: Actor;
  /** Permissions of the key. Unset if the actor is not a key. */
  permissions?: ReadonlySet<string>;
}
