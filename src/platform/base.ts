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
   * Ids of payment requests and debits, which share a sequence, because reports call them all
   * request_id.
   */
  requestIds: IdBlocks;
  /** Ids of everything else: results, journals, attempts, events. */
  recordIds: IdBlocks;
}

/**
 * The actor of a change outside of calls, with what its verb needs. An argument of the verbs of
 * commands.
 */
export type Acting = Pick<Base, 'sql' | 'clocks' | 'recordIds'> & { actor: Actor };

/** The caller and its account. An argument of every verb. */
export interface Ctx {
  accountId: string;
  /** Stored with each event. */
  actor: Actor;
  /** Permissions of the key. Unset if the actor is not a key. */
  permissions?: ReadonlySet<string>;
}
