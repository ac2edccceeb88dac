import type { Actor } from './actor.ts';
import type { Clocks } from './clocks.ts';
import type { Log } from './log.ts';
import type { Sql } from './postgres/connect.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Reads } from './replica/reads.ts';

/** The parts that the entire service is built from; made once in main. */
export interface Base {
  sql: Sql;
  /** Reads that a replica may serve. */
  reads: Reads;
  clocks: Clocks;
  log: Log;
  /** Payment requests and debits share a sequence, because reports call them all request_id. */
  requestIds: IdBlocks;
  /** Results, journals, attempts, events and all else. */
  recordIds: IdBlocks;
}

/** The actor of changes outside of calls, with its tools; an argument of commands' verbs. */
export type Acting = Pick<Base, 'sql' | 'clocks' | 'recordIds'> & { actor: Actor };

/** The caller and its account; an argument of every verb. */
export interface Ctx {
  accountId: string;
  /** Stored with each event. */
  actor: Actor;
  /** The permissions of the key; unset if the actor is not a key. */
  permissions?: ReadonlySet<string>;
}
